import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { contextOf } from "../../server/context";
import { setHubRole } from "../../server/domain/people/hub-role";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newCustomer } from "../api/customer";
import { openCommandLine } from "../command-line";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";
import { openReceiver } from "../webhooks/receiver";

const catalogue = `# Ours.
margin: 1.25
providers:
  - { id: openai, kind: openai, base_url: "https://api.openai.com/v1", api_key: "\${OPENAI_NO_SUCH_KEY}" }
models:
  - id: sol # the large one
    llm: { input_cost_per_million: 2, output_cost_per_million: 10, max_output_tokens: 100 }
    routes: [{ provider: openai, upstream_model: gpt-6.1-sol }]
  - id: luna
    llm: { input_cost_per_million: 0.1, output_cost_per_million: 0.5, max_output_tokens: 100 }
    routes: [{ provider: openai, upstream_model: gpt-6-luna }]
  - id: own
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 100 }
    routes: [{ provider: openai, upstream_model: ours }]
`;
const entry = (input: number, output: number) => ({
  litellm_provider: "openai",
  input_cost_per_token: input / 1e6,
  output_cost_per_token: output / 1e6,
});
const list = JSON.stringify({ "gpt-6.1-sol": entry(2, 10), "gpt-6-luna": entry(0.2, 0.5), other: entry(1, 1) });

const settings = { EUR_PER_USD: "0.92" };
const prices = (text: string) => [...text.matchAll(/- id: (\w+)[^]*?input_cost_per_million: ([\d.]+)/g)].map(([, id, price]) => [id, price]); // prettier-ignore

describe("catalogue sync", async () => {
  const { db, dataDir, run } = await openCommandLine();
  const listFile = path.join(dataDir, "list.json");
  const catalogueFile = path.join(dataDir, "models.yaml");
  await writeFile(listFile, list);
  await writeFile(catalogueFile, catalogue);
  const server = await openReceiver((response) => void response.end(list));
  vi.stubEnv("OUTBOUND_ALLOW_HOSTS", server.host);
  vi.stubEnv("EUR_PER_USD", settings.EUR_PER_USD);
  const json = async (...values: string[]) => JSON.parse(await run("catalogue", "sync", "--json", ...values)) as object;
  const listActions = () =>
    db.query(
      "SELECT action, target_id, reason FROM operator_action JOIN operator_action_text ON action_id = id ORDER BY id",
    );

  beforeEach(() => run("catalogue", "apply", catalogueFile));
  afterEach(() => {
    process.exitCode = undefined;
  });

  test("prints what differs, and changes nothing", async () => {
    const before = await listActions();
    const text = await run("catalogue", "sync", "--from", listFile);
    expect(text.split("\n")).toEqual([
      "EUR per million tokens, at 0.92 EUR per USD (EUR_PER_USD) and the catalogue's margin of 1.25.",
      "",
      "model  price   now  then   change  margin         source",
      "sol    Input   2    2.3    +15%    1.086 -> 1.25  gpt-6.1-sol (litellm): 2 USD",
      "sol    Output  10   11.5   +15%    1.086 -> 1.25  gpt-6.1-sol (litellm): 10 USD",
      "luna   Input   0.1  0.23   +130%   0.543 -> 1.25  gpt-6-luna (litellm): 0.2 USD",
      "luna   Output  0.5  0.575  +15%    1.086 -> 1.25  gpt-6-luna (litellm): 0.5 USD",
      "",
      "Left out: luna changes by 130%, more than 50%. To apply it, name luna.",
      "Not in the list: own.",
      "",
    ]);
    expect(await run("catalogue", "show")).toBe(catalogue);
    expect(await listActions()).toEqual(before);
    expect(process.exitCode).toBeUndefined();
  });

  test("applies what changes little as one revision in the audit log, and fails because of the rest", async () => {
    const before = await listActions();
    const applied = await json("--from", listFile, "--apply");
    const [action, ...others] = (await listActions()).slice(before.length) as { target_id: string }[];
    expect(others).toEqual([]);
    expect(action).toMatchObject({ action: "catalogue.apply", reason: `Prices of ${listFile}` });
    expect(applied).toMatchObject({
      revision: Number(action!.target_id),
      eur_per_usd: 0.92,
      margin: 1.25,
      missing: ["own"],
    });
    const after = await run("catalogue", "show");
    expect(after).toBe(catalogue.replace("input_cost_per_million: 2, output_cost_per_million: 10", "input_cost_per_million: 2.3, output_cost_per_million: 11.5")); // prettier-ignore
    expect(process.exitCode).toBe(1);
  });

  test("applies a model that is named, whatever it changes by, and no other", async () => {
    await run("catalogue", "sync", "luna", "--apply", "--from", listFile);
    expect(prices(await run("catalogue", "show"))).toEqual([["sol", "2"], ["luna", "0.23"], ["own", "1"]]); // prettier-ignore
    expect(process.exitCode).toBeUndefined();
    const actions = await listActions();
    expect(await run("catalogue", "sync", "luna", "--apply", "--from", listFile)).toContain("Unchanged: luna.");
    expect(await listActions()).toEqual(actions);
  });

  test("takes another threshold", async () => {
    await run("catalogue", "sync", "--max-change", "130", "--apply", "--from", listFile);
    expect(prices(await run("catalogue", "show"))).toEqual([["sol", "2.3"], ["luna", "0.23"], ["own", "1"]]); // prettier-ignore
    expect(process.exitCode).toBeUndefined();
  });

  test("reads a list from an https address by the safe client", async () => {
    const applied = await json("--from", server.url, "--apply");
    expect(applied).toMatchObject({ models: [{ model: "sol", issue: null }, { model: "luna" }] });
    const { port } = new URL(server.url);
    await expect(json("--from", `http://localhost:${port}/`)).rejects.toThrow(/^The price list cannot be read\. /);
    await expect(json("--from", "https://127.0.0.1:1/")).rejects.toThrow(/public internet/);
    server.respond = (response) => void response.writeHead(302, { location: server.url }).end();
    await expect(json("--from", server.url)).rejects.toThrow("its server returned status 302.");
    server.respond = (response) => void response.writeHead(200, { "content-length": 64 * 1024 ** 2 + 1 }).end();
    await expect(json("--from", server.url)).rejects.toThrow(/larger than 67108864 bytes/);
    server.respond = (response) => void response.end(list);
  });

  test.each<[string, string, RegExp]>([
    ["is cut", list.slice(0, -1), /^The price list is not complete JSON/],
    ["is not JSON", "<html>", /^The price list is not complete JSON/],
    ["has none of the models", '{"other":{}}', /^The price list has no prices of the catalogue's models: /],
    ["has a negative price", JSON.stringify({ "gpt-6.1-sol": entry(-2, 10) }), /^The price list has a price that is not from 0 to 1000 USD per million tokens: input_cost_per_token of gpt-6\.1-sol\.$/], // prettier-ignore
    ["has a huge price", JSON.stringify({ "gpt-6.1-sol": entry(1_001, 10) }), /is not from 0 to 1000 USD/],
    ["has an infinite price", list.replace("0.000002", "1e999"), /is not from 0 to 1000 USD/],
    ["has a price in words", JSON.stringify({ "gpt-6.1-sol": { ...entry(2, 10), input_cost_per_token: "2" } }), /is not from 0 to 1000 USD/], // prettier-ignore
    ["is deep", `{"gpt-6.1-sol":${"[".repeat(1e6)}`, /^The price list is not complete JSON/],
    ["has a million entries", `{${'"a":{},'.repeat(1e6)}"b":{}}`, /^The price list has more than 100000 entries\.$/],
  ])("a list that %s changes nothing", async (_, text, sentence) => {
    const file = path.join(dataDir, "hostile.json");
    await writeFile(file, text);
    const actions = await listActions();
    await expect(json("--from", file, "--apply")).rejects.toThrow(sentence);
    expect(await run("catalogue", "show")).toBe(catalogue);
    expect(await listActions()).toEqual(actions);
  });

  test("says what to pass, and what it does not accept", async () => {
    await expect(json()).rejects.toThrow(
      /^Name a price list with --from.*litellm.*https:\/\/models\.dev\/api\.json\.$/,
    );
    await expect(json("--from", "/no/such.json")).rejects.toThrow("/no/such.json: cannot be read (ENOENT)");
    await expect(json("--from", listFile, "nobody")).rejects.toThrow(
      /has no text model nobody: it has sol, luna, own\.$/,
    );
    vi.stubEnv("HUB_CATALOGUE", catalogueFile);
    await expect(json("--from", listFile, "--apply")).rejects.toThrow(/^HUB_CATALOGUE names /);
    expect(await json("--from", listFile)).toMatchObject({
      revision: null,
      models: [{ model: "sol" }, { model: "luna" }],
    });
    vi.stubEnv("HUB_CATALOGUE", "");
  });
});

describe("the operator's console", async () => {
  const server = await openReceiver((response) => void response.end(list));
  const hub = await testHub({ ...settings, OUTBOUND_ALLOW_HOSTS: server.host });
  const { email, account: id } = await newCustomer(hub);
  await setHubRole(hub, testOperator, email, "operator");
  const { account, actor } = await ownerSession(hub, id);
  const session = contextOf(hub, account, actor, "request-7");
  const console = createCallerFactory(root)({ hub, session, address: "192.0.2.7" }).admin.catalogue;
  const applyText = async (source: string) => {
    const { base } = await console.get();
    return (await console.applyDraft({ source, base, reason: "Test" })).revision;
  };

  test("compares a list at an address, and applies models of it one by one from what it has shown", async () => {
    await expect(console.prices.paths()).rejects.toThrow("No catalogue was applied yet.");
    const base = await applyText(catalogue);
    const compared = await console.prices.compare({ url: server.url });
    expect(compared).toMatchObject({
      base,
      eur_per_usd: 0.92,
      margin: 1.25,
      missing: ["own"],
      models: [
        { model: "sol", issue: null, can_be_applied: true },
        { model: "luna", issue: "changes by 130%, more than 50%", can_be_applied: true },
      ],
    });
    expect(compared.models[0]!.changes[0]).toEqual({
      price: "Input",
      route: null,
      now: 2,
      then: 2.3,
      percent: 15,
      listed_usd: 2,
      margin_now: 1.086,
      margin: 1.25,
      source: "gpt-6.1-sol (litellm)",
    });
    // The list at the address has changed meanwhile, which does not matter.
    server.respond = (response) => void response.end("{}");
    const order = { list: compared.list, models: ["luna"], base, reason: "Ticket 7" };
    const { revision } = await console.prices.applyModels(order);
    expect(prices((await console.get()).source)).toEqual([["sol", "2"], ["luna", "0.23"], ["own", "1"]]); // prettier-ignore
    const [row] = await hub.db.query(
      "SELECT action, target_id, reason FROM operator_action JOIN operator_action_text ON action_id = id ORDER BY id DESC LIMIT 1",
    );
    expect(row).toEqual({ action: "catalogue.apply", target_id: String(revision), reason: "Ticket 7" });
    await expect(console.prices.applyModels(order)).rejects.toThrow(
      "These models already have the prices of the list.",
    );
    await expect(console.prices.applyModels({ ...order, models: ["sol"] })).rejects.toThrow(
      "Another catalogue was applied",
    );
    await console.prices.applyModels({ ...order, models: ["sol"], base: revision });
    expect(prices((await console.get()).source)).toEqual([["sol", "2.3"], ["luna", "0.23"], ["own", "1"]]); // prettier-ignore
    expect((await console.prices.compare({ list: compared.list })).models).toMatchObject([
      { changes: [] },
      { changes: [] },
    ]);
  });

  test("says in one sentence why a list is not used", async () => {
    await applyText(catalogue);
    await expect(console.prices.compare({ list: "{" })).rejects.toThrow("The price list is not complete JSON");
    await expect(console.prices.compare({ url: "http://example.org/" })).rejects.toThrow("must be an https URL");
    server.respond = (response) => void response.writeHead(404).end();
    await expect(console.prices.compare({ url: server.url })).rejects.toThrow("its server returned status 404.");
    const broken = catalogue.replace("output_cost_per_million: 10,", "output_cost_per_million: 10, cache_write_cost_per_million: 3,"); // prettier-ignore
    const base = await applyText(broken);
    const long = JSON.stringify({ "gpt-6.1-sol": { ...entry(2, 10), input_cost_per_token_above_9k_tokens: 4e-6 } });
    const [compared] = (await console.prices.compare({ list: long })).models;
    expect(compared).toMatchObject({ model: "sol", can_be_applied: false });
    await expect(console.prices.applyModels({ list: long, models: ["sol"], base, reason: "Test" })).rejects.toThrow(
      "would be invalid",
    );
    expect((await console.get()).source).toBe(broken);
  });
});
