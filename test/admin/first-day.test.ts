import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { authenticateOperator } from "../../server/domain/operator-tokens/operator-token";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { runOrThrow } from "../clients/run-program";
import { openCommandLine } from "../command-line";
import { deriveHub } from "../derive-hub";
import { actionsOf, callAdmin, newProgram } from "./program";

const page = readFileSync("docs/management.md", "utf8");
const [, section] = /<!-- first day -->([^]*?)<!-- end of the first day -->/.exec(page)!;
const script = [...section!.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block!).join("");

test("the commands of the page take a backend from its token to a suspended account", async () => {
  const host = await openOwnHost();
  const program = await newProgram(host.hub);
  const own = script
    .replace(/^HUB_URL=.*$/m, `HUB_URL=${host.url}`)
    .replace(/^TOKEN=.*$/m, `TOKEN=${program.token}`)
    .concat('\necho "KEY=$HUB_API_KEY ACCOUNT=$ACCOUNT"\n');
  const output = await runOrThrow("bash", ["-euo", "pipefail", "-c", own], { cwd: host.hub.folder });
  const [, key, account] = /KEY=(service_sk_\w+) ACCOUNT=(\d+)$/m.exec(output)!;
  // The last request of the key, after the suspension.
  expect(output).toMatch(/401$/m);
  expect((await actionsOf(host.hub, program)).map(({ action }) => action)).toEqual([
    "account.create",
    "credit.grant",
    "key.create",
    "budget.create",
    "account.suspend",
    "catalogue.apply",
  ]);
  expect((await callApi(host, "GET", "/api/v1/me", { key })).status).toBe(401);
  const generations = await host.hub.db.query("SELECT status FROM generation WHERE account_id = $1", [Number(account)]);
  expect(generations).toEqual([{ status: "queued" }]);
  const { body } = await callAdmin(host, program, "GET", `accounts/${account}`);
  expect(body).toMatchObject({ email: "studio@example.org", suspended: true, balance: 25 });
  expect(body.held).toBeGreaterThan(0);
});

test("a token of the command line works until it is revoked there, and its name is free again", async () => {
  const { db, run } = await openCommandLine();
  const host = await openOwnHost();
  const hub = deriveHub(host.hub, { db });
  const create = () => run("operator", "token", "create", "--name", "backend", "--role", "auditor", "--json");
  const { token, ...record } = JSON.parse(await create()) as Record<string, string>;
  expect(token).toMatch(/^service_ok_/);
  expect(record).toMatchObject({ name: "backend", role: "auditor", daily_credit: null, expires_at: null });
  expect(await run("operator", "token", "list")).not.toContain(token);
  await expect(create()).rejects.toMatchObject({ code: "invalid_input" });
  expect(await authenticateOperator(hub, token!)).toMatchObject({ name: "backend", role: "auditor" });
  await run("operator", "token", "revoke", "--name", "backend");
  expect(await authenticateOperator(hub, token!)).toBeNull();
  await create();
});
