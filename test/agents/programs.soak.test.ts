import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { type ProgramResult, runProgram } from "../clients/run-program";
import { countMoney, newAgent } from "./agent-account";
import { type Agent, agents, type Run } from "./agents";
import { breakAfterText, CALL_COST, FINAL_TEXT } from "./call-tool";
import { openNativeHost } from "./native-host";

/**
 * The unmodified agents and SDKs at pinned versions, set up as their quick starts say. They take up more than a
 * gigabyte, so they are installed in a folder that stays for the next run.
 */
const SOURCES = path.join(import.meta.dirname, "programs");
const INSTALL = { timeoutMs: 600_000 };
const host = await openNativeHost();
const folder = path.resolve("node_modules/.cache/agents");
const javaScript = await install("npm cannot install the agents", [
  ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
]);
const requirements = path.join(folder, "requirements.txt");
const python = path.join(folder, "venv", "bin", "python");
const pythonReason = await install("pip cannot install the SDKs", [
  ["python3", "-m", "venv", path.join(folder, "venv")],
  [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
]);
afterAll(async () => {
  expect(await runAudit(host.hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

/** Runs commands that install programs. Returns why they cannot run; null if they can. */
async function install(failure: string, commands: [string, ...string[]][]): Promise<string | null> {
  if (`${process.platform}-${process.arch}` !== "linux-x64") return "its program is that of linux-x64";
  await cp(SOURCES, folder, { recursive: true });
  for (const [file, ...values] of commands) {
    const { code, stderr } = await runProgram(file, values, INSTALL);
    if (code !== 0) return `${failure}: ${stderr.trim()}`;
  }
  return null;
}

/** Runs a program with only these variables, without input, in its own home folder. */
async function runAlone(command: string[], env: Record<string, string>, files: Record<string, string> = {}) {
  const home = await mkdtemp(path.join(os.tmpdir(), "hub-agent-"));
  const project = path.join(home, "project");
  await mkdir(project);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true });
    await writeFile(path.join(home, name), text);
  }
  const all = { PATH: process.env.PATH!, HOME: home, LANG: "C.UTF-8", ...env };
  const variables = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const values = ["-c", 'exec env -i "$@" </dev/null', "sh", ...variables, ...command];
  const result = await runProgram("sh", values, { cwd: project });
  await rm(home, { recursive: true, force: true });
  return result;
}

const runAgent = ({ program, values, env, files }: Agent, run: Run): Promise<ProgramResult> => {
  const file = path.join(folder, "node_modules", program);
  const command = file.endsWith(".js") ? [process.execPath, file] : [file];
  return runAlone([...command, ...values(run)], env(run), files?.(run));
};

/** Runs a program for a new customer. Fails unless it made at least two chats, each of which was charged once. */
async function expectPaidOnce(model: string, run: (values: Omit<Run, "prompt">) => Promise<ProgramResult>) {
  const { account, key } = await newAgent(host.hub);
  const { code, stdout, stderr } = await run({ url: host.url, key, model });
  expect(code === 0 ? 0 : `${stdout}${stderr}`).toBe(0);
  const money = await countMoney(host.hub, account);
  expect(money.generations).toBeGreaterThanOrEqual(2);
  expect(money).toMatchObject({ charges: money.generations, unexplained: 0 });
  return stdout;
}

const skip = (reason: string | null, name: string): boolean => {
  if (reason) process.stdout.write(`skipped, ${name}: ${reason}\n`);
  return reason !== null;
};

const PROMPT = "Run echo lighthouse and tell me what it prints";

describe.skipIf(skip(javaScript, "Claude Code, Codex and OpenCode")).each(agents)("$name", (agent) => {
  test("runs a tool call to the end", async () => {
    const output = await expectPaidOnce("talk", (run) => runAgent(agent, { ...run, prompt: PROMPT }));
    expect(output).toContain(FINAL_TEXT);
  });

  test.runIf(agent.native)("does so at a provider with its own API", async () => {
    const output = await expectPaidOnce(agent.native!, (run) => runAgent(agent, { ...run, prompt: PROMPT }));
    expect(output).toContain(FINAL_TEXT);
  });

  test("does so with the sandbox", async () => {
    const prompt = agent.name.startsWith("Codex") ? "Call exec_command" : "Call bash";
    const output = await expectPaidOnce("sandbox-text", (run) => runAgent(agent, { ...run, prompt }));
    expect(output).toMatch(/The tool says: \S/);
  });
});

/** OpenCode asks for a title at the same time, so its requests come in any order. */
const codingAgents = agents.filter(({ name }) => !name.startsWith("OpenCode"));

test.skipIf(javaScript).each(codingAgents)("$name sends one request without credit", async (agent) => {
  const { account, key } = await newCustomer(host.hub, { credit: 0 });
  const run = { url: host.url, key, model: "talk", prompt: "Say hello" };
  const { code, stdout, stderr } = await runAgent(agent, run);
  expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/EUR available|quota/i)]);
  await host.hub.services.rejectionLog.flush();
  const rejected = await host.hub.db.query<{ code: string }>(
    "SELECT code FROM rejected_request WHERE account_id = $1",
    [account],
  );
  expect(rejected.map(({ code: each }) => each)).toEqual(["insufficient_credits"]);
});

test.skipIf(javaScript).each(codingAgents)("$name repeats a broken stream without paying twice", async (agent) => {
  const { account, key } = await newAgent(host.hub);
  host.upstream.respondNext(breakAfterText);
  const { code, stdout } = await runAgent(agent, { url: host.url, key, model: "talk", prompt: PROMPT });
  expect([code, stdout]).toEqual([0, expect.stringContaining(FINAL_TEXT)]);
  const chats = await host.hub.db.query<{ billed: number }>(
    "SELECT billed_cost::int AS billed FROM generation WHERE account_id = $1 ORDER BY id",
    [account],
  );
  // The provider broke off without usage, so the counted prompt is charged, and covers the whole repeat.
  const [broken, ...others] = chats.map(({ billed }) => billed);
  expect([broken! > CALL_COST, others]).toEqual([true, [0, CALL_COST]]);
  expect(await countMoney(host.hub, account)).toMatchObject({ generations: 3, unexplained: 0 });
});

const node = process.execPath;
describe.each<[string, string | null, string[]]>([
  ["Anthropic's SDK for TypeScript", javaScript, [node, "anthropic.js"]],
  ["OpenAI's SDK for TypeScript", javaScript, [node, "openai.js"]],
  ["AI SDK with its provider for Anthropic", javaScript, [node, "ai-sdk.js", "anthropic"]],
  ["AI SDK with its provider for OpenAI", javaScript, [node, "ai-sdk.js", "openai"]],
  ["Anthropic's SDK for Python", pythonReason, [python, "anthropic_program.py"]],
  ["OpenAI's SDK for Python", pythonReason, [python, "openai_program.py"]],
])("%s", (name, reason, [command, file, ...values]) => {
  test.skipIf(skip(reason, name)).each([
    ["talk", FINAL_TEXT],
    ["sandbox-text", "The tool says: 21 degrees"],
  ])("runs a tool call to the end with the model %s", async (model, text) => {
    const output = await expectPaidOnce(model, ({ url, key }) =>
      runAlone([command!, path.join(folder, file!), ...values], { HUB_URL: url, HUB_API_KEY: key, MODEL: model }),
    );
    expect(output).toContain(text);
  });
});
