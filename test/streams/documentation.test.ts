import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readBlocks } from "../clients/run-program";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";

const host = await openRunningHost();
const page = readFileSync("docs/live.md", "utf8");
const { key } = await newCustomer(host.hub);

const env = { ...process.env, HUB_URL: host.url, HUB_API_KEY: key };
const run = async (command: string, args: string[]) => (await promisify(execFile)(command, args, { env })).stdout;
const has = async (command: string) => run(command, ["--version"]).then(() => true, () => false); // prettier-ignore
const programs: [string, (code: string) => Promise<string>][] = [
  ["ts", (code) => run("node", ["--input-type=module", "--eval", code])],
  ["python", (code) => run("python3", ["-c", code])],
];

test.each(programs)("the programs in %s get results", async (language, runProgram) => {
  if (language === "python" && !(await has("python3"))) return void process.stdout.write("skipped: no python3\n");
  const blocks = readBlocks(page, language);
  expect(blocks).toHaveLength(2);
  for (const block of blocks) {
    expect(block.split("\n").length).toBeLessThanOrEqual(21);
    expect(await runProgram(block)).toMatch(/^succeeded /m);
  }
});

test("the commands get results", async () => {
  if (!(await has("curl"))) return void process.stdout.write("skipped: no curl\n");
  const [wait, follow] = readBlocks(page, "sh");
  expect(JSON.parse(await run("sh", ["-c", wait!]))).toMatchObject({ status: "succeeded" });
  const following = spawn("sh", ["-c", follow!], { env, detached: true });
  onTestFinished(() => void process.kill(-following.pid!));
  let followed = "";
  following.stdout.on("data", (chunk) => (followed += chunk));
  await expect.poll(async () => (await host.hub.db.query("SELECT FROM account WHERE follows_events")).length).toBe(1);
  await run("sh", ["-c", wait!]);
  await expect.poll(() => followed).toMatch(/^event: generation\ndata: .*"status":"succeeded"/m);
});
