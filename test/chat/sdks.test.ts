import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openChatHost } from "./host";
import { holdNext } from "./upstream";

const host = await openChatHost();
const baseURL = `${host.url}/api/v1/hub`;
const PROMPT = "hello";
const TIMEOUT_MS = 700;

const python = `
import openai, sys, threading
client = openai.OpenAI(base_url=sys.argv[1], api_key=sys.argv[2], timeout=${TIMEOUT_MS / 1000})
def call():
    chat = client.chat.completions.create(model="talk", messages=[{"role": "user", "content": "${PROMPT}"}])
    print(chat.id)
calls = [threading.Thread(target=call) for _ in range(int(sys.argv[3]))]
for call in calls: call.start()
for call in calls: call.join()
`;

type Callers = (key: string, count: number) => Promise<string[]>;
const callers: Record<string, { missing: string | null; call: Callers }> = {
  "openai for TypeScript": {
    missing: null,
    call(apiKey, count) {
      const client = new OpenAI({ baseURL, apiKey, timeout: TIMEOUT_MS });
      const messages = [{ role: "user" as const, content: PROMPT }];
      const once = async () => (await client.chat.completions.create({ model: "talk", messages })).id;
      return Promise.all(Array.from({ length: count }, once));
    },
  },
  "openai for Python": {
    missing: findPythonSdk() ? null : "python3 has no package openai (pip install openai)",
    async call(key, count) {
      const { stdout } = await promisify(execFile)("python3", ["-c", python, baseURL, key, String(count)]);
      return stdout.trim().split("\n");
    },
  },
};

function findPythonSdk(): boolean {
  try {
    execFileSync("python3", ["-c", "import openai"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.entries(callers))("%s, with its default retries", (name, { missing, call }) => {
  if (missing) process.stdout.write(`skipped, ${name}: ${missing}\n`);

  test.skipIf(missing)("charges each of two equal calls that time out once", async () => {
    const customer = await newCustomer(host.hub);
    const releases = [holdNext(host.upstream), holdNext(host.upstream)];
    const calling = call(customer.key, 2);
    // Both time out before they get their responses.
    const abandoned = "SELECT FROM generation WHERE account_id = $1 AND joinable_at IS NOT NULL";
    await expect
      .poll(async () => (await host.hub.db.query(abandoned, [customer.account])).length, { timeout: 20_000 })
      .toBe(2);
    for (const open of releases) open();
    const ids = await calling;
    const charged = await host.hub.db.query<{ id: string }>(
      "SELECT generation_id AS id FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
      [customer.account],
    );
    expect(ids.toSorted()).toEqual(charged.map(({ id }) => id).toSorted());
    expect(ids).toHaveLength(2);
    const records = await host.hub.db.query("SELECT FROM generation WHERE account_id = $1", [customer.account]);
    expect(records).toHaveLength(2);
    expect((await runAudit(host.hub.db)).violations).toEqual([]);
  });
});
