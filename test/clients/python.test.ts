import { readFile, rm } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { DOCUMENTED } from "../../scripts/quickstarts/render-guide";
import { runAudit } from "../../server/domain/audit/audit";
import { newWebhookSecret } from "../../server/domain/webhook-secrets/secret";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { findPython, installBuiltClient, type PythonEnvironment } from "./python-environment";
import { readBlocks } from "./run-program";

const { python, missing } = await findPython();
if (missing) process.stdout.write(`skipped, the Python client: ${missing}\n`);

describe.skipIf(missing)("the built Python client", async () => {
  const host = await openRunningHost();
  let environment: PythonEnvironment;
  let customer: Customer;
  beforeAll(async () => {
    environment = await installBuiltClient(python);
    customer = await newCustomer(host.hub);
    return () => rm(environment.folder, { recursive: true, force: true });
  }, 120_000);

  const runCode = (code: string) =>
    environment.run(code.replaceAll(DOCUMENTED.base, host.url), {
      HUB_URL: host.url,
      HUB_API_KEY: customer.key,
      WEBHOOK_SECRET: newWebhookSecret(),
    });

  test("works against a hub", async () => {
    const output = await runCode(await readFile("clients/python/tests/drive_client.py", "utf8"));
    expect(output.trim()).toBe("all checks passed");
  });

  test("every example of its page runs against a hub", async () => {
    const blocks = readBlocks(await readFile("clients/python/README.md", "utf8"), "python");
    expect(blocks.length).toBeGreaterThan(6);
    const output = await runCode(blocks.join("\n"));
    expect(output).toMatch(/^0\.0092 \d+$/m);
    expect(output).toContain("succeeded 1");
    expect(output).toContain("provider_error");
  });

  test.each([
    ["anthropic", "anthropic"],
    ["openai", "openai"],
    ["langchain", "langchain_openai"],
  ])("the code of quickstarts/%s.md runs against a hub", async (page, needed) => {
    if (!(await environment.has(needed))) {
      process.stdout.write(`skipped, the Python code of ${page}.md: no package ${needed}\n`);
      return;
    }
    const blocks = readBlocks(await readFile(`docs/quickstarts/${page}.md`, "utf8"), "python");
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(await runCode(block)).toMatch(/\S/);
  });

  test("every cent is accounted for", async () => {
    expect((await runAudit(host.hub.db)).violations).toEqual([]);
  });
});
