import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { getSigningSecret } from "../../server/domain/webhook-secrets/signing-secret";
import { reservePort } from "../reserve-port";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { findProgram, runDocumented, runnable } from "../clients/documented-programs";
import { ownerSession } from "../session";
import { openReceiver } from "./receiver";

// The programs of docs/generations.md that have a webhook of their own. Behind the receiver, which has the certificate, they
// listen on a port, as behind a proxy.
const receiver = await openReceiver();
const host = await openRunningHost({ OUTBOUND_ALLOW_HOSTS: receiver.host });
const page = await readFile("docs/generations.md", "utf8");
const text = page.slice(page.indexOf("## A webhook of its own"), page.indexOf("## Find a generation"));
let env: Record<string, string>;
beforeAll(async () => {
  const { account, key } = await newCustomer(host.hub);
  const port = await reservePort();
  const { secret } = await getSigningSecret(await ownerSession(host.hub, account));
  env = { HUB_URL: host.url, HUB_API_KEY: key, SIGNING_SECRET: secret, WEBHOOK_URL: receiver.url, PORT: String(port) };
  receiver.respond = (response, { method, headers }, { body }) =>
    void request({ port, method, headers }, ({ statusCode }) => response.writeHead(statusCode!).end())
      .on("error", () => response.writeHead(502).end())
      .end(body);
});

const run = (language: string) => runDocumented(language, findProgram(text, language), env);

test.runIf(runnable.includes("sh"))("curl", async () => {
  const generation = JSON.parse(await run("sh")) as { id: string };
  await expect.poll(() => receiver.received.map(({ body }) => body.toString())).toContainEqual(
    expect.stringContaining(generation.id),
  ); // prettier-ignore
});

test.each(runnable.filter((language) => language !== "sh"))("%s", async (language) => {
  expect(await run(language)).toMatch(/^succeeded https?:/);
});
