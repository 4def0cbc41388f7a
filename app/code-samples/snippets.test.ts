import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snippetOf } from "./snippets";

const run = promisify(execFile);
const input = {
  prompt: 'It\'s "night" at $HOME\n`now` \\ é 🎨  — ${x}',
  flags: [true, false, null],
  empty: { list: [], map: {} },
  size: 0.5,
};

interface Received {
  path: string;
  key: string | undefined;
  body: unknown;
}
const received: Received[] = [];
const done = {
  id: "1",
  status: "succeeded",
  completed_at: "now",
  outputs: [],
  choices: [{ message: { content: "hi" } }],
};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : null;
    received.push({ path: request.url!, key: request.headers.authorization, body });
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(done));
  });
});
let base = "";
let folder = "";
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Inside the project, so that the programs find their packages.
  folder = await mkdtemp(path.resolve("test-snippets-"));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});
const env = { PATH: process.env.PATH, HOME: os.homedir(), HUB_API_KEY: "service_sk_x" } as unknown as NodeJS.ProcessEnv;

test.each([
  { isLlm: false, to: "/api/v1/hub/generations", body: { model: "m", input } },
  { isLlm: true, to: "/api/v1/hub/chat/completions", body: { model: "m", ...input } },
])("the TypeScript program sends the request (text model: $isLlm)", async ({ isLlm, to, body }) => {
  const file = path.join(folder, "call.mts");
  await writeFile(file, snippetOf("typescript", { base, model: "m", isLlm, input }));
  received.length = 0;
  const { stdout } = await run(process.execPath, ["--import", "tsx", file], { env });
  expect(received).toEqual([{ path: to, key: "Bearer service_sk_x", body }]);
  expect(stdout).toContain(isLlm ? "hi" : "succeeded");
});

test("the shell passes curl exactly this body", async () => {
  const code = snippetOf("curl", { base, model: "m", isLlm: false, input });
  const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${code}`], { env });
  const [address, , key, , , , body] = stdout.split("\0");
  expect([address, key]).toEqual([`${base}/api/v1/hub/generations`, "Authorization: Bearer service_sk_x"]);
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
