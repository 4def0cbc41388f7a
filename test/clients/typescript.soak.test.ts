import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
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
/** The names of the compiled programs of each page. */
const programs: Record<string, string[]> = {};
beforeAll(async () => {
  installed = await installPackedClient();
  customer = await newCustomer(host.hub);
  await writePrograms("readme", "clients/typescript/README.md");
  for (const page of QUICK_STARTS) await writePrograms(page, `docs/quickstarts/${page}.md`);
  await compile();
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

/** Writes the programs of a page whose packages are installed into the project that has the packed client. */
async function writePrograms(name: string, page: string): Promise<void> {
  const blocks = readBlocks(await readFile(page, "utf8"), "ts");
  expect(blocks.length, page).toBeGreaterThan(0);
  const missing = blocks.flatMap(listPackages).filter((one) => !isInstalled(one));
  if (missing.length > 0)
    process.stdout.write(`skipped, TypeScript code of ${page}: no package ${missing.join(", ")}\n`);
  const folder = path.join(installed.folder, name);
  await mkdir(folder);
  programs[name] = await Promise.all(
    blocks
      .filter((code) => listPackages(code).every(isInstalled))
      .map(async (code, index) => {
        await writeFile(path.join(folder, `${index}.ts`), code.replaceAll(DOCUMENTED.base, host.url));
        return `./${name}/${index}.js`;
      }),
  );
}

/** Compiles the programs of all pages as one strict project, so that the types of their packages are read only once. */
async function compile(): Promise<void> {
  const options = { ...STRICT, typeRoots: [path.resolve("node_modules/@types")] };
  const include = Object.keys(programs).map((name) => `${name}/*.ts`);
  await writeFile(path.join(installed.folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include }));
  await runOrThrow(process.execPath, ["node_modules/typescript-7/bin/tsc", "-p", installed.folder]);
}

/** Returns the packages that a program imports. */
const listPackages = (code: string): string[] =>
  [...code.matchAll(/from "((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name!);

const isInstalled = (name: string): boolean => name === "@generation-hub/client" || installed.neighbours.includes(name);

/** Runs compiled programs, one after the other in one process, and returns what each printed. */
async function runPrograms(names: string[]): Promise<string[]> {
  const main = names.map((name) => `await import("${name}");\nconsole.log("\\0");`).join("\n");
  await writeFile(path.join(installed.folder, "main.js"), main);
  return (await runModule("main.js")).split("\0\n").slice(0, -1);
}

const QUICK_STARTS = ["ai-sdk", "anthropic", "openai", "langchain"];
const STRICT = { strict: true, module: "nodenext", target: "es2022", skipLibCheck: true, types: ["node"] };

test("the package contains what it names, and no sources or tests", () => {
  expect(installed.files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/ai-sdk.d.ts", "dist/ai-sdk.js", "dist/index.d.ts"]),
  );
  expect(installed.files.filter((file) => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(file))).toEqual([]);
});

test("every example of its page compiles under strict and runs against a hub", async () => {
  expect(programs.readme!.length).toBeGreaterThan(6);
  const output = (await runPrograms(programs.readme!)).join("");
  expect(output).toContain("0.0092 image/png");
  expect(output).toContain("succeeded 1");
  expect(output).toMatch(/lighthouse[^]*\n0\.\d+ EUR/);
  expect(output).toContain("provider_error false");
});

test("the packed client works against a hub", async () => {
  await cp("clients/typescript/test/drive-client.mjs", path.join(installed.folder, "drive-client.mjs"));
  expect((await runModule("drive-client.mjs")).trim().split("\n").at(-1)).toBe("all checks passed");
});

test("the code of every quick start compiles under strict and runs against a hub", async () => {
  const names = QUICK_STARTS.flatMap((page) => programs[page]!);
  const outputs = await runPrograms(names);
  expect(outputs).toHaveLength(names.length);
  for (const output of outputs) expect(output).toMatch(/\S/);
});

test("every cent is accounted for", async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
