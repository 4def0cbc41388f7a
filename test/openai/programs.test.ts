import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embedMany, generateImage, streamText } from "ai";
import { afterAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { runOrThrow, runProgram } from "../clients/run-program";

/**
 * Programs that know nothing of the hub, unmodified, with their default retries and with streaming. Those with many
 * dependencies are installed in a temporary folder by `npm run soak`.
 */
const FOLDER = path.join(import.meta.dirname, "programs");
const host = await openRunningHost();
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

/** What a program prints: the members that its step produces. */
interface Printed {
  text?: string;
  tokens?: unknown;
  chunks?: number;
  vectors?: number[];
  picture?: string;
}

const expectations: Record<string, (printed: Printed) => void> = {
  chat({ text, tokens, chunks }) {
    expect(text).toMatch(/\w/);
    expect(String(tokens)).toMatch(/[1-9]/);
    expect(chunks).toBeGreaterThan(1);
  },
  /** A command prints its answer as it comes, and we read it at the end. */
  command({ text, tokens }) {
    expect(text).toMatch(/\w/);
    expect(tokens).toMatch(/[1-9]\d* input, [1-9]\d* output/);
  },
  structured({ text, chunks }) {
    expect(JSON.parse(text!)).toEqual({ city: expect.any(String) as string, population: expect.any(Number) as number });
    expect(chunks).toBeGreaterThan(0);
  },
  embed({ vectors }) {
    expect(vectors).toHaveLength(2);
    expect(Math.min(...vectors!)).toBeGreaterThan(10);
  },
  image({ picture }) {
    expect(picture).toBe("PNG");
  },
};

/** Runs a call of a new customer, and fails unless it made one generation and one charge. */
async function expectOneCharge(step: string, call: (customer: Customer) => Promise<Printed>): Promise<void> {
  const customer = await newCustomer(host.hub);
  expectations[step]!(await call(customer));
  const count = async (rows: string) => {
    const [row] = await host.hub.db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${rows} AND account_id = $1`,
      [customer.account],
    );
    return row!.count;
  };
  const made = [await count("generation WHERE true"), await count("ledger_entry WHERE kind = 'charge'")];
  expect(made, "generations and charges").toEqual([1, 1]);
}

describe("AI SDK", () => {
  const openHub = ({ key }: Customer) =>
    createOpenAICompatible({ name: "hub", baseURL: `${host.url}/v1`, apiKey: key, includeUsage: true });

  test.each<[string, (customer: Customer) => Promise<Printed>]>([
    [
      "chat",
      async (customer) => {
        const result = streamText({ model: openHub(customer)("sandbox-text"), prompt: "What does a lighthouse see?" });
        let [text, chunks] = ["", 0];
        for await (const chunk of result.textStream) {
          text += chunk;
          chunks += 1;
        }
        return { text, chunks, tokens: (await result.usage).totalTokens };
      },
    ],
    [
      "embed",
      async (customer) => {
        const model = openHub(customer).embeddingModel("sandbox-embedding");
        const { embeddings } = await embedMany({ model, values: ["a lighthouse", "the sea"] });
        return { vectors: embeddings.map(({ length }) => length) };
      },
    ],
    [
      "image",
      async (customer) => {
        const model = openHub(customer).imageModel("sandbox-image");
        const { image } = await generateImage({ model, prompt: "a lighthouse at dawn" });
        return { picture: Buffer.from(image.uint8Array).subarray(1, 4).toString() };
      },
    ],
  ])("%s", (step, call) => expectOneCharge(step, call));
});

/** A way to run programs of one language; `reason` says why it cannot run them. */
interface Runner {
  run: (file: string, step: string, customer: Customer) => Promise<Printed>;
  reason: string | null;
}

/** Runs a program of the folder, whose last line of output is JSON. */
const runnerOf = (command: string, folder: string, reason: string | null): Runner => ({
  reason,
  async run(file, step, { key }) {
    const env = { HUB_URL: host.url, HUB_API_KEY: key, PYTHONDONTWRITEBYTECODE: "1" };
    const output = await runOrThrow(command, [path.join(folder, file), step], { env });
    return JSON.parse(output.trim().split("\n").at(-1)!) as Printed;
  },
});

/** A registry and a busy machine take their time. */
const INSTALL = { timeoutMs: 600_000 };

/** Returns a folder that lasts as long as the tests of this file. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-programs-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function installJavaScript(): Promise<Runner> {
  const folder = await makeFolder();
  await cp(FOLDER, folder, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const { code, stderr } = await runProgram("npm", ["install", "--prefix", folder, ...options], INSTALL);
  return runnerOf(process.execPath, folder, code === 0 ? null : `npm cannot install their packages: ${stderr.trim()}`);
}

async function installPython(): Promise<Runner> {
  const folder = await makeFolder();
  const python = path.join(folder, "bin", "python");
  const made = await runProgram("python3", ["-m", "venv", folder], INSTALL);
  const requirements = ["-r", path.join(FOLDER, "requirements.txt")];
  const options = ["install", "--quiet", "--disable-pip-version-check", ...requirements];
  const { code, stderr } = made.code === 0 ? await runProgram(python, ["-m", "pip", ...options], INSTALL) : made;
  return runnerOf(python, FOLDER, code === 0 ? null : `pip cannot install their packages: ${stderr.trim()}`);
}

/** Returns the Python that .ci/run prepares, which has one of these packages. */
async function findPrepared(): Promise<Runner> {
  const prepared = path.resolve(".data/python/bin/python");
  const python = existsSync(prepared) ? prepared : "python3";
  const { code } = await runProgram(python, ["-c", "import openai"]);
  return runnerOf(python, FOLDER, code === 0 ? null : `${python} has no package openai (docs/clients.md)`);
}

const OUTSIDE = "they are installed by npm run soak";
const none = (reason: string) => runnerOf("", "", reason);
const isSoak = Boolean(process.env.SOAK);
const javaScript = isSoak ? await installJavaScript() : none(OUTSIDE);
const allPython = isSoak ? await installPython() : none(OUTSIDE);
const python = isSoak ? allPython : await findPrepared();

describe.each<[string, Runner, string, string[]]>([
  ["openai for Python", python, "openai_program.py", ["chat", "embed", "image"]],
  ["LangChain for TypeScript", javaScript, "langchain.js", ["chat", "embed"]],
  ["LlamaIndex for TypeScript", javaScript, "llamaindex.js", ["chat", "embed"]],
  ["LangChain for Python", allPython, "langchain_program.py", ["chat", "embed"]],
  ["LlamaIndex for Python", allPython, "llama_index_program.py", ["chat", "embed"]],
  ["llm", allPython, "llm_program.py", ["command"]],
  ["instructor", allPython, "instructor_program.py", ["structured"]],
])("%s", (name, { reason, run }, file, steps) => {
  if (reason) process.stdout.write(`skipped, ${name}: ${reason}\n`);

  test.skipIf(reason).each(steps)("%s", (step) => expectOneCharge(step, (customer) => run(file, step, customer)));
});
