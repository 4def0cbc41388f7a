import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openOwnHost } from "../api/hosts";
import { runOrThrow } from "../clients/run-program";
import { actionsOf, callAdmin, newProgram } from "./program";

/** A build of github.com/Mastercard/terraform-provider-restapi 3.0, which Terraform otherwise downloads from its registry. */
const provider = process.env.HUB_TEST_RESTAPI_PROVIDER;

const [, recipe] = /^```hcl\n([^]*?)^```/m.exec(readFileSync("docs/management.md", "utf8"))!;
/** Returns the object that the recipe encodes for an argument of the resource. */
const readData = (argument: string): Record<string, unknown> => {
  const [, members] = new RegExp(`^ +${argument} += jsonencode\\({ (.*) }\\)`, "m").exec(recipe!)!;
  return JSON.parse(`{${members!.replaceAll(/(\w+) = /g, '"$1": ')}}`) as Record<string, unknown>;
};

test("the requests of the recipe create, read, change and suspend an account, and every other member is ignored", async () => {
  const host = await openOwnHost();
  const program = await newProgram(host.hub);
  const created = await callAdmin(host, program, "POST", "accounts", { body: readData("data") });
  expect(created.status).toBe(201);
  const path = `accounts/${created.body.id as number}`;
  const account = (await callAdmin(host, program, "GET", path)).body;
  expect(account).toMatchObject(readData("data"));
  const [, ignored] = /ignore_changes_to = (\[[^]*?\])/.exec(recipe!)!;
  const managed = Object.keys(readData("update_data"));
  expect([...managed, ...(JSON.parse(ignored!) as string[])].sort()).toEqual(Object.keys(account).sort());
  await callAdmin(host, program, "PATCH", path, { body: { member: false } });
  const changed = await callAdmin(host, program, "PATCH", path, { body: readData("update_data") });
  expect(changed.body).toMatchObject(readData("data"));
  const ended = await callAdmin(host, program, "PATCH", path, { body: readData("destroy_data") });
  expect(ended.body).toMatchObject({ suspended: true });
});

test.runIf(provider)(
  "the recipe of the page creates an account, finds no drift, corrects one, and suspends at the end",
  async () => {
    const host = await openOwnHost();
    const program = await newProgram(host.hub);
    const folder = await mkdtemp(path.join(os.tmpdir(), "hub-terraform-"));
    afterAll(() => rm(folder, { recursive: true, force: true }));
    await writeFile(path.join(folder, "main.tf"), recipe!.replace("https://hub.example.org", host.url));
    const overrides = `dev_overrides {\n  "Mastercard/restapi" = "${path.dirname(provider!)}"\n}\ndirect {}`;
    await writeFile(path.join(folder, "terraformrc"), `provider_installation {\n${overrides}\n}\n`);
    const env = { TF_CLI_CONFIG_FILE: path.join(folder, "terraformrc"), TF_VAR_hub_operator_token: program.token };
    const terraform = (...args: string[]) =>
      runOrThrow("env", [...Object.entries(env).map(([name, value]) => `${name}=${value}`), "terraform", ...args], {
        cwd: folder,
      });
    const find = async () => {
      const { body } = await callAdmin(host, program, "GET", "accounts?q=studio@example.org");
      return (body.data as { id: number; member: boolean; suspended: boolean }[])[0]!;
    };

    await terraform("apply", "-auto-approve", "-no-color");
    const account = await find();
    expect(account).toMatchObject({ member: true, suspended: false });
    expect(await terraform("plan", "-no-color", "-detailed-exitcode")).toContain("No changes");
    await callAdmin(host, program, "PATCH", `accounts/${account.id}`, { body: { member: false } });
    await terraform("apply", "-auto-approve", "-no-color");
    expect(await find()).toMatchObject({ member: true, suspended: false });
    await terraform("destroy", "-auto-approve", "-no-color");
    expect(await find()).toMatchObject({ id: account.id, suspended: true });
    expect((await actionsOf(host.hub, program)).map(({ action }) => action)).toEqual([
      "account.create",
      "account.set-member",
      "account.set-member",
      "account.suspend",
    ]);
  },
);
