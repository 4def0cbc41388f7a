import { execFile, spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenOnLoopback } from "../../test/loopback";
import { makeProjectFolder } from "../../test/project-folder";
import { operations } from "../(site)/docs/document";
import { sampleRequest } from "../(site)/docs/sample-request";
import { downloads } from "./download";
import { requestSnippets, uploads } from "./request-snippets";
import type { SampleRequest } from "./sample-request";
import { type Language, snippetOf } from "./snippets";

const run = promisify(execFile);
const input = {
  prompt: 'It\'s "night" at $HOME\n`now` \\ é 🎨  — ${x}',
  flags: [true, false, null],
  empty: { list: [], map: {} },
  size: 0.5,
};

interface Received {
  method: string;
  path: string;
  key: string | undefined;
  prefer?: string | string[] | undefined;
  body: unknown;
}
const received: Received[] = [];
const mediaTypes = ["audio/mpeg", "audio/wav"];
const done = () => ({
  id: "1",
  status: "succeeded",
  completed_at: "now",
  outputs: mediaTypes.map((media_type, index) => ({ index, media_type, url: `${base}/files/${index}` })),
  choices: [{ message: { content: "hi" } }],
  url: "https://hub.test/files/1",
});
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text.startsWith("{") ? JSON.parse(text) : text;
    const { authorization: key, prefer } = request.headers;
    received.push({ method: request.method!, path: request.url!, key, prefer, body });
    if (request.url!.startsWith("/files/")) response.end(`content of ${request.url}`);
    else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(done()));
  });
});
let base = "";
let folder = "";
beforeAll(async () => {
  base = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  folder = await makeProjectFolder();
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});
const env = { PATH: process.env.PATH, HOME: os.homedir(), HUB_API_KEY: "service_sk_x" } as unknown as NodeJS.ProcessEnv;

/** Runs programs in TypeScript, one after the other in one process, and returns what it printed. */
async function runTypeScript(programs: string[], settings: NodeJS.ProcessEnv): Promise<string> {
  const files = programs.map((_, index) => `./program-${index}.mts`);
  await Promise.all(files.map((file, index) => writeFile(path.join(folder, file), programs[index]!)));
  // A program under tsx takes three times as long.
  await build({ absWorkingDir: folder, entryPoints: files, outdir: folder, outExtension: { ".js": ".mjs" } });
  const main = path.join(folder, "main.mjs");
  const built = files.map((file) => file.replace(".mts", ".mjs"));
  await writeFile(main, `for (const file of ${JSON.stringify(built)}) await import(file);`);
  received.length = 0;
  return (await run(process.execPath, [main], { env: settings, cwd: folder })).stdout;
}

test("the TypeScript programs send the request, save each output with the extension of its type, and upload a file", async () => {
  await writeFile(path.join(folder, "input.mp4"), "a film");
  const chat = snippetOf("typescript", { base, model: "m", isLlm: true, input });
  const generation = snippetOf("typescript", { base, model: "m", isLlm: false, input });
  const download = `${generation}\n${codeOf(downloads(base, ["audio"]), "typescript")}`;
  const upload = codeOf(uploads(base, ["text", "video"]), "typescript");
  const stdout = await runTypeScript([chat, download, upload], env);
  const key = "Bearer service_sk_x";
  const saves = mediaTypes.map((_, index) => ({ method: "GET", path: `/files/${index}`, key, body: "" }));
  const form = expect.stringMatching(/name="file"; filename="input.mp4"[^]*a film/) as unknown;
  expect(received).toEqual([
    { method: "POST", path: "/api/v1/hub/chat/completions", key, body: { model: "m", ...input } },
    { method: "POST", path: "/api/v1/hub/generations", key, prefer: "wait=30", body: { model: "m", input } },
    ...saves,
    { method: "POST", path: "/api/v1/hub/files", key, body: form },
  ]);
  expect(stdout).toMatch(/^hi [^]*\nsucceeded[^]*\nhttps:\/\/hub\.test\/files\/1\n$/);
  const saved = await Promise.all(["output-1.mp3", "output-2.wav"].map((name) => readFile(path.join(folder, name))));
  expect(saved.map(String)).toEqual(["content of /files/0", "content of /files/1"]);
});

test("the shell passes curl exactly this body", async () => {
  const code = snippetOf("curl", { base, model: "m", isLlm: false, input });
  const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${code}`], { env });
  const [address, , key, , prefer, , , , body] = stdout.split("\0");
  expect(address).toBe(`${base}/api/v1/hub/generations`);
  expect([key, prefer]).toEqual(["Authorization: Bearer service_sk_x", "Prefer: wait=30"]);
  expect(JSON.parse(body!)).toEqual({ model: "m", input });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)("the Python program parses and contains this body", async () => {
  const reading = `
import ast, json, sys
body = next(node.value for node in ast.parse(sys.argv[1]).body if isinstance(node, ast.Assign) and node.targets[0].id == "body")
print(json.dumps(ast.literal_eval(body)))`;
  const code = snippetOf("python", { base, model: "m", isLlm: false, input });
  const { stdout } = await run("python3", ["-c", reading, code], { env });
  expect(JSON.parse(stdout)).toEqual({ model: "m", input });
  const chat = snippetOf("python", { base, model: "m", isLlm: true, input });
  await run("python3", ["-c", "import ast, sys; ast.parse(sys.argv[1])", chat], { env });
});

const codeOf = (codes: { value: Language; code: string }[], language: Language) =>
  codes.find(({ value }) => value === language)!.code;

test.skipIf(!hasPython)("the Python programs save each output with the extension of its type", async () => {
  const saved = [
    ["image", "image/webp", "output-1.webp"],
    ["video", "video/mp4", "output-1.mp4"],
    ["audio", "audio/mpeg", "output-1.mp3"],
    ["text", "text/plain", "output-1.txt"],
    ["file", "application/octet-stream", "output-1.bin"],
    ["file", "application/x-safetensors", "output-1.safetensors"],
  ] as const;
  const running = `
import json, sys, types
requests = types.SimpleNamespace(get=lambda url, headers: types.SimpleNamespace(content=url.encode()))
for code, media_type in json.loads(sys.argv[1]):
    generation = {"outputs": [{"index": 0, "url": f"https://hub.test/{media_type}", "media_type": media_type}]}
    exec(code, {"requests": requests, "generation": generation, "headers": {}})`;
  const programs = saved.map(([modality, type]) => [codeOf(downloads(base, [modality]), "python"), type]);
  await run("python3", ["-c", running, JSON.stringify(programs)], { cwd: folder });
  const contents = await Promise.all(saved.map(([, , name]) => readFile(path.join(folder, name), "utf8")));
  expect(contents).toEqual(saved.map(([, type]) => `https://hub.test/${type}`));
});

test.skipIf(!hasPython)("the Python program that uploads a file parses", async () => {
  const code = codeOf(uploads(base, ["image"]), "python");
  expect(code).toContain('open("input.png", "rb")');
  await run("python3", ["-c", "import ast, sys; ast.parse(sys.argv[1])", code]);
});

describe("the programs of the reference", () => {
  const requests = operations.map(sampleRequest);
  const programs = (language: Language) => requests.map((request) => codeOf(requestSnippets(base, request), language));
  /** Returns what the request sends, as the server below receives it. */
  const expected = ({ method, path, credential, body }: SampleRequest) => ({
    method,
    path,
    key: credential === "session" || credential === null ? undefined : `Bearer ${tokens[credential]}`,
    body: body?.kind === "json" ? body.value : (expect.stringContaining(body ? "a picture" : "") as unknown),
  });
  const tokens = { key: "service_sk_x", worker: "service_wk_x", operator: "service_ok_x" };
  const all = { ...env, HUB_WORKER_TOKEN: tokens.worker, HUB_OPERATOR_TOKEN: tokens.operator, HUB_SESSION: "s" };

  beforeAll(() =>
    Promise.all(["input.png", "output.png"].map((name) => writeFile(path.join(folder, name), "a picture"))),
  );

  test("in TypeScript send the example requests", async () => {
    await runTypeScript(programs("typescript"), all);
    expect(received).toEqual(requests.map((request) => expect.objectContaining(expected(request)) as unknown));
  });

  test("in the shell pass curl the example requests", async () => {
    const { stdout } = await run(
      "sh",
      ["-c", `curl() { printf '%s\\0' "$@"; printf '\\1'; }\n${programs("curl").join("\n")}`],
      { env: all },
    );
    const calls = stdout
      .split("\u0001")
      .slice(0, -1)
      .map((call) => call.split("\0").slice(0, -1));
    const sent = calls.map((values) => {
      const after = (option: string) => values[values.indexOf(option) + 1];
      const body = values.includes("-d") ? (JSON.parse(after("-d")!) as unknown) : undefined;
      const verb = values.includes("--head") ? "HEAD" : values.includes("-X") ? after("-X") : null;
      const hasBody = ["-d", "-F", "--data-binary"].some((option) => values.includes(option));
      return {
        method: verb ?? (hasBody ? "POST" : "GET"),
        path: values.find((one) => one.startsWith(base))!.slice(base.length),
        body,
      };
    });
    expect(sent).toEqual(
      requests.map(({ method, path: to, body }) => ({
        method,
        path: to,
        body: body?.kind === "json" ? body.value : undefined,
      })),
    );
  });

  test.skipIf(!hasPython)("in Python make the example requests", async () => {
    const running = `
import json, sys, types
calls = []
def record(method):
    def send(url, headers={}, json=None, files=None, data=None):
        calls.append({"method": method.upper(), "path": url, "key": headers.get("Authorization"), "body": json})
        return types.SimpleNamespace(raise_for_status=lambda: None, json=lambda: {}, status_code=200, headers={}, content=b"")
    return send
sys.modules["requests"] = types.SimpleNamespace(**{name: record(name) for name in ["get", "head", "post", "put", "patch", "delete"]})
output, sys.stdout = sys.stdout, sys.stderr
for code in json.loads(sys.argv[1]):
    exec(code, {})
print(json.dumps(calls), file=output)`;
    const { stdout } = await run("python3", ["-c", running, JSON.stringify(programs("python"))], {
      env: all,
      cwd: folder,
    });
    const sent = JSON.parse(stdout) as { path: string }[];
    expect(sent).toEqual(
      requests.map((request) => ({
        ...expected(request),
        path: base + request.path,
        key: expected(request).key ?? null,
        body: request.body?.kind === "json" ? request.body.value : null,
      })),
    );
  });
});
