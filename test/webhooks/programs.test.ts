import { readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getSigningSecret } from "../../server/domain/webhook-secrets/signing-secret";
import { findFreePort } from "../../server/lib/free-port";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { findPython } from "../clients/python-environment";
import { readBlocks, runOrThrow, runProgram } from "../clients/run-program";
import { makeProjectFolder } from "../project-folder";
import { ownerSession } from "../session";
import { openReceiver } from "./receiver";

// The programs of docs/generations.md that have a webhook of their own. Behind the receiver, which has the certificate, they
// listen on a port, as behind a proxy.
const receiver = await openReceiver();
const host = await openRunningHost({ OUTBOUND_ALLOW_HOSTS: receiver.host });
const page = await readFile("docs/generations.md", "utf8");
const text = page.slice(page.indexOf("## A webhook of its own"), page.indexOf("## Find a generation"));
const folder = await makeProjectFolder();
afterAll(() => rm(folder, { recursive: true }));
const { python, missing } = await findPython();
const hasCurl = (await runProgram("curl", ["--version"])).code === 0;

const blockOf = (language: string) => {
  const [block] = readBlocks(text, language);
  expect(block!.trim().split("\n").length).toBeLessThanOrEqual(21);
  return block!;
};

let env: Record<string, string>;
beforeAll(async () => {
  const { account, key } = await newCustomer(host.hub);
  const port = await findFreePort();
  const { secret } = await getSigningSecret(await ownerSession(host.hub, account));
  env = { HUB_URL: host.url, HUB_KEY: key, SIGNING_SECRET: secret, WEBHOOK_URL: receiver.url, PORT: String(port) };
  receiver.respond = (response, { method, headers }, { body }) =>
    void request({ port, method, headers }, ({ statusCode }) => response.writeHead(statusCode!).end())
      .on("error", () => response.writeHead(502).end())
      .end(body);
});

test.skipIf(!hasCurl)("curl", async () => {
  const generation = JSON.parse(await runOrThrow("sh", ["-ec", blockOf("sh")], { env })) as { id: string };
  await expect.poll(() => receiver.received.map(({ body }) => body.toString())).toContainEqual(
    expect.stringContaining(generation.id),
  ); // prettier-ignore
});

test("TypeScript", async () => {
  const client = path.resolve("clients/typescript/src/index.ts");
  await writeFile(path.join(folder, "program.mts"), blockOf("ts").replace("@generation-hub/client", client));
  const tsx = path.resolve("node_modules/tsx/dist/cli.mjs");
  expect(await runOrThrow(process.execPath, [tsx, "program.mts"], { cwd: folder, env })).toMatch(/^succeeded https?:/);
});

test.skipIf(missing)("Python", async () => {
  const PYTHONPATH = path.resolve("clients/python/src");
  expect(await runOrThrow(python, ["-c", blockOf("python")], { env: { ...env, PYTHONPATH } })).toMatch(/^succeeded https?:/); // prettier-ignore
});
