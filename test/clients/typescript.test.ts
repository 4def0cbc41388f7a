import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { DOCUMENTED } from "../../scripts/quickstarts/render-guide";
import { runAudit } from "../../server/domain/audit/audit";
import { newWebhookSecret } from "../../server/domain/webhooks/secret";
import { openRunningHost } from "../api/hosts";
import { type Customer, newCustomer } from "../api/customer";
import { installPackedClient, type Installed } from "./packed-client";
import { readBlocks, runOrThrow } from "./run-program";
import { findOpenaiPath } from "./openai-path";

const host = await openRunningHost();
let installed: Installed;
let customer: Customer;
beforeAll(async () => {
  installed = await installPackedClient();
  customer = await newCustomer(host.hub);
  return () => rm(installed.folder, { recursive: true, force: true });
}, 120_000);

/** Runs a program in the project that has the packed client installed. */
async function runModule(name: string, code: string): Promise<string> {
  await writeFile(path.join(installed.folder, name), code.replaceAll(DOCUMENTED.base, host.url));
  return runOrThrow(process.execPath, [name], {
    cwd: installed.folder,
    env: { HUB_URL: host.url, HUB_KEY: customer.key, HUB_API_KEY: customer.key, WEBHOOK_SECRET: newWebhookSecret() },
  });
}

/** Returns code for the chats of this hub: the specified path, until it has OpenAI's. */
const withOpenaiPath = async (code: string): Promise<string> => {
  const openaiPath = await findOpenaiPath(host.url, customer.key);
  return code
    .replaceAll("apiKey: process.env.HUB_KEY });", `apiKey: process.env.HUB_KEY, openaiPath: "${openaiPath}" });`)
    .replaceAll("}/v1`", `}${openaiPath}\``);
};

test("the package contains what it names, and no sources or tests", () => {
  expect(installed.files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/ai-sdk.d.ts", "dist/ai-sdk.js", "dist/index.d.ts"]),
  );
  expect(installed.files.filter((file) => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(file))).toEqual([]);
});

test("every example of its page runs against a hub", async () => {
  const blocks = readBlocks(await readFile("clients/typescript/README.md", "utf8"), "ts");
  expect(blocks.length).toBeGreaterThan(6);
  const code = await Promise.all(blocks.map(withOpenaiPath));
  await Promise.all(code.map((block, index) => writeFile(path.join(installed.folder, `example-${index}.js`), block)));
  const output = await runModule(
    "examples.js",
    code.map((_, index) => `await import("./example-${index}.js");`).join("\n"),
  );
  expect(output).toContain("0.0092 image/png");
  expect(output).toContain("succeeded 1");
  expect(output).toContain("provider_error false");
});

test("the packed client works against a hub", async () => {
  await cp("clients/typescript/test/drive-client.mjs", path.join(installed.folder, "drive-client.mjs"));
  const output = await runModule("main.js", 'await import("./drive-client.mjs");');
  expect(output.trim().split("\n").at(-1)).toBe("all checks passed");
});

describe("quick starts", () => {
  test.each([
    ["ai-sdk", "ai"],
    ["openai", "openai"],
    ["langchain", "@langchain/openai"],
  ])("the code of %s.md runs against a hub", async (page, needed) => {
    if (!installed.neighbours.includes(needed)) {
      process.stdout.write(`skipped, the TypeScript code of ${page}.md: no package ${needed}\n`);
      return;
    }
    const blocks = readBlocks(await readFile(`docs/quickstarts/${page}.md`, "utf8"), "ts");
    expect(blocks.length).toBeGreaterThan(0);
    for (const [index, block] of blocks.entries()) {
      if (needsV1(block) && (await findOpenaiPath(host.url, customer.key)) !== "/v1") {
        process.stdout.write(`skipped, example ${index + 1} of ${page}.md: this hub has no /v1\n`);
        continue;
      }
      expect(await runModule(`${page}-${index}.js`, await withOpenaiPath(block))).toMatch(/\S/);
    }
  });
});

/** Streams and pictures exist only under /v1. */
const needsV1 = (block: string): boolean => /stream|images\./i.test(block);

test("every cent is accounted for", async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
