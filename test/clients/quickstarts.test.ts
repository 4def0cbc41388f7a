import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { readBlocks, runOrThrow, runProgram } from "./run-program";

const host = await openRunningHost();
const { key } = await newCustomer(host.hub);
const hasCurl = (await runProgram("curl", ["--version"])).code === 0;
if (!hasCurl) process.stdout.write("skipped, the commands of quick starts: no program curl\n");

test.skipIf(!hasCurl).each(["open-webui", "n8n"])("the commands of %s.md run against a hub", async (page) => {
  const commands = readBlocks(await readFile(`docs/quickstarts/${page}.md`, "utf8"), "sh");
  expect(commands.length).toBeGreaterThan(1);
  let id = "";
  for (const command of commands) {
    const env = { HUB_URL: host.url, HUB_API_KEY: key, GENERATION_ID: id };
    const output = await runOrThrow("sh", ["-ec", command], { env });
    expect(output).toMatch(/"id":/);
    [id = ""] = /(?<="id": ?")[\da-f-]{36}/.exec(output) ?? [];
  }
});

test("the list of quick starts names every page", async () => {
  const index = await readFile("docs/quickstarts/README.md", "utf8");
  const pages = (await readdir("docs/quickstarts")).filter((name) => name !== "README.md");
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});
