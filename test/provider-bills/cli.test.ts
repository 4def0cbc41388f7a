import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { BillReport } from "../../server/domain/provider-bills";
import { openCommandLine } from "../command-line";
import { serveRequests } from "../serve-requests";
import { insertAttempts, timeOf } from "./bill-fixture";

const { db, dataDir, run } = await openCommandLine();
const asked: { path: string; key: string | undefined }[] = [];
const costs = (value: number) => [{ object: "organization.costs.result", amount: { value, currency: "usd" } }];
const day = (text: string) => new Date(text).getTime() / 1000;
/** What the double of an API answers, by path. */
const answers: Record<string, object> = {
  "/organization/costs?start_time=1793491200&end_time=1796083200&bucket_width=1d&limit=180": {
    data: [{ start_time: day("2026-11-01"), results: [...costs(0.5), ...costs(0.25)] }],
    has_more: true,
    next_page: "two",
  },
  "/organization/costs?start_time=1793491200&end_time=1796083200&bucket_width=1d&limit=180&page=two": {
    data: [
      { start_time: day("2026-11-02"), results: [] },
      { start_time: day("2026-11-03"), results: costs(7e-3) },
    ],
    has_more: false,
    next_page: null,
  },
  "/generation?id=gen-1": { data: { id: "gen-1", total_cost: 0.001 } },
  "/generation?id=gen-2": { data: { id: "gen-2", total_cost: 0.002 } },
};
const url = await serveRequests((request, response) => {
  asked.push({ path: request.url!, key: request.headers.authorization });
  const answer = request.headers.authorization === "Bearer wrong" ? undefined : answers[request.url!];
  response.writeHead(answer ? 200 : request.headers.authorization === "Bearer wrong" ? 401 : 404);
  response.end(JSON.stringify(answer ?? {}));
});
const NANO = 1_000_000_000;
const euros = (usd: number) => BigInt(Math.round(usd * NANO * 0.92));
const month = ["--from", "2026-11-01", "--to", "2026-12-01", "--json"];

/** Runs the command and returns its report and its exit code. */
async function reconcile(provider: string, ...values: string[]): Promise<BillReport & { exitCode: unknown }> {
  process.exitCode = undefined;
  const report = JSON.parse(await run("reconcile", "--provider", provider, ...month, ...values)) as BillReport;
  return { ...report, exitCode: process.exitCode };
}

async function writeBill(...lines: string[]): Promise<string> {
  const file = path.join(dataDir, "bill");
  await writeFile(file, lines.join("\n"));
  return file;
}

beforeAll(async () => {
  vi.stubEnv("OUTBOUND_ALLOW_HOSTS", new URL(url).host);
  vi.stubEnv("OPENAI_ADMIN_KEY", "admin");
  vi.stubEnv("OPENAI_WRONG_KEY", "wrong");
  vi.stubEnv("OPENAI_ONE", "one");
  vi.stubEnv("OPENAI_TWO", "two");
  const catalogue = path.join(dataDir, "models.yaml");
  const providers = ["open", "router", "rep"].map(
    (id) => `{ id: ${id}, kind: openai, base_url: "${url}", api_key: own }`,
  );
  providers.push(`{ id: keys, kind: openai, base_url: "${url}", api_keys: ["\${OPENAI_ONE}", "\${OPENAI_TWO}"] }`);
  const routes = ["open", "router", "rep", "keys"].map((provider) => `{ provider: ${provider}, upstream_model: m }`);
  const llm = "{ input_cost_per_million: 1, output_cost_per_million: 2, context_length: 1000, max_output_tokens: 100 }";
  await writeFile(
    catalogue,
    `providers: [${providers.join(", ")}]\nmodels: [{ id: talk, llm: ${llm}, routes: [${routes.join(", ")}] }]\n`,
  );
  await run("catalogue", "apply", catalogue);
  await run("account", "create", "--email", "anna@example.org", "--password", "correct horse");
  const [account] = await db.query<{ id: number }>("SELECT id FROM account WHERE email = 'anna@example.org'");
  const at = (text: string) => new Date(`${text}T12:00:00Z`);
  await insertAttempts(db, account!.id, [
    { route: "open:m", handle: null, at: at("2026-11-01"), cost: euros(0.5) },
    { route: "open:m", handle: null, at: at("2026-11-01"), cost: euros(0.25) },
    { route: "open:m", handle: null, at: at("2026-11-02"), cost: euros(0.1) },
    { route: "router:m", handle: "gen-1", at: timeOf(1, 4), cost: euros(0.001) },
    { route: "router:m", handle: "gen-2", at: timeOf(2, 4), cost: euros(0.003) },
    { route: "router:m", handle: "gen-3", at: timeOf(3, 4), cost: euros(0.001) },
    { route: "keys@OPENAI_ONE:m", handle: "gen-1", at: timeOf(1, 4), cost: euros(0.001) },
    { route: "keys@OPENAI_TWO:m", handle: "gen-2", at: timeOf(2, 4), cost: euros(0.002) },
    { route: "rep:m", handle: "a", at: timeOf(1, 4), cost: euros(0.01) },
    { route: "rep:m", handle: "b", at: timeOf(2, 4), cost: euros(0.02) },
  ]);
});
afterEach(() => {
  process.exitCode = undefined;
});

test("compares costs of OpenAI by day, with the key of an administrator", async () => {
  const report = await reconcile("open", "--online", "openai", "--key-variable", "OPENAI_ADMIN_KEY");
  expect(report).toMatchObject({
    matched_by: "day",
    equal: { count: 1, billed: 0.69, known: 0.69 },
    known_not_billed: { count: 1, items: [{ subject: "2026-11-02", known: 0.092 }] },
    billed_not_known: { count: 1, items: [{ subject: "2026-11-03", billed: 0.00644 }] },
    differing: { count: 0 },
    exitCode: 1,
  });
  expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(["Bearer admin"]));
  const wrong = reconcile("open", "--online", "openai", "--key-variable", "OPENAI_WRONG_KEY");
  await expect(wrong).rejects.toThrow("open rejects the key (401)");
  await expect(reconcile("open", "--online")).rejects.toThrow("--online openai or --online openrouter");
  const shifted = run("reconcile", "--provider", "open", "--from", "2026-11-01T10:00Z", "--to", "2026-12-01", "--online", "openai"); // prettier-ignore
  await expect(shifted).rejects.toThrow("must be days");
});

test("asks OpenRouter for each chat that the hub knows", async () => {
  asked.length = 0;
  expect(await reconcile("router", "--online", "openrouter")).toMatchObject({
    equal: { count: 1 },
    known_not_billed: { count: 1, items: [{ subject: "gen-3" }] },
    differing: { count: 1, items: [{ subject: "gen-2", billed: 0.00184, known: 0.00276 }] },
  });
  expect(asked.map(({ path: asked }) => asked).sort()).toEqual(["1", "2", "3"].map((n) => `/generation?id=gen-${n}`));
  expect(asked[0]!.key).toBe("Bearer own");
});

test("compares the bill of a provider with several keys, or of one of them", async () => {
  asked.length = 0;
  expect(await reconcile("keys", "--online", "openrouter")).toMatchObject({ equal: { count: 2 }, exitCode: undefined });
  expect(asked).toEqual([
    { path: "/generation?id=gen-1", key: "Bearer one" },
    { path: "/generation?id=gen-2", key: "Bearer two" },
  ]);
  const both = await writeBill("handle,cost", "gen-1,0.001", "gen-2,0.002");
  expect(await reconcile("keys", "--file", both)).toMatchObject({ equal: { count: 2 }, exitCode: undefined });
  expect(await reconcile("keys@OPENAI_TWO", "--file", both)).toMatchObject({
    equal: { count: 1 },
    billed_not_known: { count: 1, items: [{ subject: "gen-1" }] },
  });
});

test("reads exports of each format", async () => {
  const predictions = await writeBill(
    '{"id":"a","status":"succeeded","created_at":"2026-11-08T12:00:00Z","metrics":{"predict_time":1.5}}',
    '{"id":"x","status":"canceled","created_at":"2026-11-08T12:00:00Z","metrics":{}}',
    '{"id":"y","status":"failed","created_at":"2026-11-08T12:00:00Z","metrics":{"predict_time":2}}',
  );
  expect(await reconcile("rep", "--file", predictions)).toMatchObject({
    source: "replicate",
    without_cost: 1,
    billed_not_known: { count: 1, items: [{ subject: "y", billed: null }] },
    known_not_billed: { count: 1, items: [{ subject: "b" }] },
  });
  const plain = await writeBill("\uFEFFHandle,Cost,currency,time", '"a",0.0092,EUR,2026-11-08 12:00', "b,0.02,usd,");
  expect(await reconcile("rep", "--file", plain)).toMatchObject({
    source: "plain",
    equal: { count: 2, billed: 0.0276, known: 0.0276 },
    differing: { count: 0 },
    exitCode: undefined,
  });
  const daily = await writeBill(
    "start_time,end_time,start_time_iso,amount_value,amount_currency,line_item",
    `${day("2026-11-01")},${day("2026-11-02")},,0.5000000000000000,usd,"gpt, input"`,
    `${day("2026-11-01")},${day("2026-11-02")},,2.5e-1,usd,"gpt, output"`,
    `${day("2026-11-02")},${day("2026-11-03")},,,,`,
  );
  expect(await reconcile("open", "--file", daily)).toMatchObject({
    source: "openai",
    equal: { count: 1 },
    known_not_billed: { count: 1 },
  });
  const events = await writeBill(
    '{"request_id":"a","timestamp":"2026-11-08T12:00:00Z","output_units":2,"unit_price":0.01,"percent_discount":50}',
    '{"request_id":"b","timestamp":"2026-11-08T12:00:00Z","cost_total":0.02,"unit_price":1}',
  );
  expect(await reconcile("rep", "--file", events)).toMatchObject({ source: "fal", equal: { count: 2 } });
});

test("rejects what it cannot read, and names the line", async () => {
  const error = async (...lines: string[]) =>
    reconcile("rep", "--file", await writeBill(...lines)).then(
      () => "none",
      (reason: Error) => reason.message,
    );
  expect(await error("")).toContain("no records");
  expect(await error("a,b", "1,2")).toContain("no known format");
  expect(await error("handle,cost", "a,1", "b,much")).toBe('Line 3: "much" is not an amount.');
  expect(await error("handle,cost", 'a,"1')).toBe("Line 2: a quote does not end.");
  expect(await error("handle,cost", `${"a".repeat(70_000)},1`)).toContain("Line 2: a record has at most");
  expect(await error("handle,cost", `a${",".repeat(300)}`)).toContain("at most 256 columns");
  expect(await error("handle,cost,currency", "a,1,GBP")).toContain("neither USD nor EUR");
  expect(await error("handle,cost,time", "a,1,yesterday")).toBe('Line 2: "yesterday" is not a time.');
  expect(await error('{"id":"a","status":"s","created_at":""}', "{")).toBe("Line 2 is not JSON.");
  expect(await error("handle,cost", ",1")).toBe("Line 2: handle is empty.");
  expect(await error("handle,cost", "a\u001b[2J,1")).toContain("Line 2: handle has characters that no id has");
  await expect(reconcile("rep", "--file", path.join(dataDir, "absent"))).rejects.toThrow("cannot be read");
  await expect(reconcile("rep")).rejects.toThrow("either --file or --online");
  const plain = await writeBill("handle,cost", "a,1");
  await expect(reconcile("unknown", "--file", plain)).rejects.toThrow("No route of the catalogue");
});

test("stores what it found for the console, and prints it", async () => {
  const plain = await writeBill("handle,cost", "a,0.01", "c,5");
  const text = await run("reconcile", "--provider", "rep", ...month.slice(0, 4), "--file", plain);
  expect(text).toContain("1 job billed and not known: 4.6 EUR\n  c  billed 4.6");
  expect(text).toContain("There are differences.");
  const [stored] = await db.query<{ report: BillReport }>(
    "SELECT report FROM bill_report WHERE provider = 'rep' ORDER BY id DESC LIMIT 1",
  );
  expect(stored!.report.billed_not_known).toMatchObject({ count: 1, billed: 4.6 });
});
