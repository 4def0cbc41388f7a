import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { DOCUMENTED } from "../../scripts/quickstarts/render-guide";
import { runAudit } from "../../server/domain/audit/audit";
import { newWebhookSecret } from "../../server/domain/webhook-secrets/secret";
import { openRunningHost } from "../api/hosts";
import { type Customer, newCustomer } from "../api/customer";
import { installPackedClient, type Installed } from "./packed-client";
import { readBlocks, runOrThrow } from "./run-program";

const host = await openRunningHost();
let installed: Installed;
let customer: Customer;
beforeAll(async () => {
  installed = await installPackedClient();
  customer = await newCustomer(host.hub);
  return () => rm(installed.folder, { recursive: true, force: true });
}, 120_000);

const env = () => ({
  HUB_URL: host.url,
  HUB_API_KEY: customer.key,
  WEBHOOK_SECRET: newWebhookSecret(),
});

/** Runs a program in the project that has the packed client installed. */
const runModule = (name: string): Promise<string> =>
  runOrThrow(process.execPath, [name], { cwd: installed.folder, env: env() });

/** Compiles programs of a page in a strict project with the packed client, and returns the names of what can be run. */
async function compile(page: string, blocks: string[]): Promise<string[]> {
  const folder = path.join(installed.folder, page);
  await mkdir(folder);
  await Promise.all(
    blocks.map((code, index) =>
      writeFile(path.join(folder, `${index}.ts`), code.replaceAll(DOCUMENTED.base, host.url)),
    ),
  );
  const options = { ...STRICT, typeRoots: [path.resolve("node_modules/@types")] };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  await runOrThrow(process.execPath, ["node_modules/typescript-7/bin/tsc", "-p", folder]);
  return blocks.map((_, index) => `${page}/${index}.js`);
}

const STRICT = { strict: true, module: "nodenext", target: "es2022", skipLibCheck: true, types: ["node"] };

test("the package contains what it names, and no sources or tests", () => {
  expect(installed.files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/ai-sdk.d.ts", "dist/ai-sdk.js", "dist/index.d.ts"]),
  );
  expect(installed.files.filter((file) => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(file))).toEqual([]);
});

test("every example of its page compiles under strict and runs against a hub", async () => {
  const blocks = readBlocks(await readFile("clients/typescript/README.md", "utf8"), "ts");
  expect(blocks.length).toBeGreaterThan(6);
  const programs = await compile("readme", blocks);
  const main = programs.map((name) => `await import("./${name}");`).join("\n");
  await writeFile(path.join(installed.folder, "examples.js"), main);
  const output = await runModule("examples.js");
  expect(output).toContain("0.0092 image/png");
  expect(output).toContain("succeeded 1");
  expect(output).toMatch(/lighthouse[^]*\n0\.\d+ EUR/);
  expect(output).toContain("provider_error false");
});

test("the packed client works against a hub", async () => {
  await cp("clients/typescript/test/drive-client.mjs", path.join(installed.folder, "drive-client.mjs"));
  expect((await runModule("drive-client.mjs")).trim().split("\n").at(-1)).toBe("all checks passed");
});

describe("quick starts", () => {
  test.each(["ai-sdk", "anthropic", "openai", "langchain"])(
    "the code of %s.md compiles under strict and runs against a hub",
    async (page) => {
      const all = readBlocks(await readFile(`docs/quickstarts/${page}.md`, "utf8"), "ts");
      expect(all.length).toBeGreaterThan(0);
      const missing = all.flatMap(listPackages).filter((name) => !isInstalled(name));
      if (missing.length > 0)
        process.stdout.write(`skipped, TypeScript code of ${page}.md: no package ${missing.join(", ")}\n`);
      const blocks = all.filter((code) => listPackages(code).every(isInstalled));
      if (blocks.length > 0)
        for (const program of await compile(page, blocks)) expect(await runModule(program)).toMatch(/\S/);
    },
  );
});

/** Returns the packages that a program imports. */
const listPackages = (code: string): string[] =>
  [...code.matchAll(/from "((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name!);

const isInstalled = (name: string): boolean => name === "@generation-hub/client" || installed.neighbours.includes(name);

test("every cent is accounted for", async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
