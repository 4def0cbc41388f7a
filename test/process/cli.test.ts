import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type Finished, runCli, type RunningHub, startHub } from "../../e2e/server";
import { findPostmaster } from "../../server/db/embedded/postmaster";
import { runCommand } from "../command-line";
import { isSoak } from "../soak";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataDir = await makeDataDir();
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs a command as a process of its own. */
const program = (...values: string[]) => runCli(values, { HUB_DATA_DIR: dataDir });
/** Runs a command in this process; as one of its own in `npm run soak`. */
const cli = isSoak ? program : (...values: string[]) => runCommand(values, { HUB_DATA_DIR: dataDir });
const json = async <T>(...values: string[]): Promise<T> => readJson<T>(await cli(...values, "--json"));
function readJson<T>({ code, stdout, stderr }: Finished): T {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as T;
}
async function expectRejection(values: string[], sentence: string, run = cli) {
  const { code, stdout, stderr } = await run(...values, "--json");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/^\s+at /m);
}
const anna = ["--email", "anna@example.org"];

test("warnings of libraries are JSON lines on stderr, like every log line", async () => {
  const bucket = { STORAGE_S3_BUCKET: "none", STORAGE_S3_ENDPOINT: "http://127.0.0.1:1" };
  const credentials = { STORAGE_S3_ACCESS_KEY_ID: "key", STORAGE_S3_SECRET_ACCESS_KEY: "secret" };
  const { code, stderr } = await runCli(["doctor", "--json"], { HUB_DATA_DIR: dataDir, ...bucket, ...credentials });
  expect(code).toBe(1);
  for (const line of stderr.trim().split("\n")) if (line) expect(JSON.parse(line)).toHaveProperty("msg");
});

describe("without a server", () => {
  test("creates an account, and leaves no process running", async () => {
    const create = ["account", "create", ...anna, "--password", "correct horse", "--credit", "12.5", "--member"];
    expect(readJson(await program(...create, "--json"))).toEqual({
      client_id: 1,
      email: "anna@example.org",
      membership: true,
      balance: 12.5,
    });
    expect(await findPostmaster(path.join(dataDir, "postgres", "data"))).toBeNull();
  });

  test("rejects a command in one sentence and leaves no process running", async () => {
    const create = ["key", "create", "--email", "nobody@example.org", "--name", "x"];
    await expectRejection(create, "There is no account", program);
    expect(await findPostmaster(path.join(dataDir, "postgres", "data"))).toBeNull();
  });
});

describe("beside a server", () => {
  let hub: RunningHub;
  beforeAll(async () => {
    hub = await startHub({ dataDir });
    return async () => void (await hub.stop());
  });
  const sendRequest = (key: string, workingFolder: string) =>
    fetch(hub.url + workingFolder, { headers: { authorization: `Bearer ${key}` } });

  test("creates no demo account in a database that has accounts", () => {
    expect(hub.key).toBe("");
  });

  test("credits a reference once", async () => {
    const grant = ["credit", "grant", ...anna, "--amount", "10", "--reference", "invoice-7"];
    expect(await json(...grant)).toEqual({ credited: true, balance: 22.5, currency: "EUR" });
    expect(await json(...grant)).toEqual({ credited: false, balance: 22.5, currency: "EUR" });
  });

  test("prints tables and sentences without --json", async () => {
    const { stdout } = await cli("audit");
    expect(stdout).toContain("Everything adds up.");
    expect(stdout).toContain("1 accounts");
    expect(stdout).not.toContain("files");
  });

  const rejected: [values: string[], sentence: string][] = [
    [["account", "create", ...anna, "--password", "correct horse"], "email: already has an account"],
    [
      ["account", "create", "--email", "b@example.org", "--password", "short"],
      "password: must have 8 to 256 characters",
    ],
    [
      ["account", "create", "--email", "b@example.org", "--password", "correct horse", "--credit", "-5"],
      "It must be 0 or more.",
    ],
    [
      ["key", "create", "--email", "nobody@example.org", "--name", "x"],
      "There is no account with the address nobody@example.org.",
    ],
    [["credit", "grant", ...anna, "--amount", "ten"], "It must be an amount in EUR"],
    [["credit", "grant", ...anna, "--amount", "-1000"], "does not cover this correction"],
    [["catalogue", "check", "/no/such.yaml"], "/no/such.yaml: cannot be read (ENOENT)"],
    [["jobs", "--retry", "nonsense"], "There is no failed job nonsense."],
    [["provider", "add", "nobody"], 'There are no models of "nobody": choose anthropic, '],
    [
      ["provider", "add", "fal", "--key-variable", "OPENAI_NO_SUCH_KEY"],
      "OPENAI_NO_SUCH_KEY is not set: set it in the environment",
    ],
    [["provider", "check", "nobody"], "No route of the catalogue uses a provider nobody."],
    [["audit", "--files", "some"], 'It must be a number of files, or "all".'],
    [["nonsense"], "unknown command 'nonsense'"],
  ];
  test.each(rejected)("rejects %j in one sentence with exit code 1", (values, sentence) =>
    expectRejection(values, sentence),
  );

  test("a rejected account leaves nothing behind", async () => {
    expect(await json("audit", "--files", "all", "--full")).toMatchObject({
      accounts: 1,
      files: { checked: 0, bytes: 0 },
      violations: [],
    });
  });

  test("its changes take effect at once", async () => {
    const create = ["key", "create", ...anna, "--name", "server", "--json"];
    const { key, name } = readJson<{ key: string; name: string }>(await program(...create));
    expect(name).toBe("server");
    expect((await sendRequest(key, "/api/v1/me")).status).toBe(200);
    await json("account", "suspend", ...anna);
    expect((await sendRequest(key, "/api/v1/me")).status).toBe(401);
    await json("account", "resume", ...anna);
    expect((await sendRequest(key, "/api/v1/me")).status).toBe(200);
  });

  test("an applied catalogue takes effect without a restart", async () => {
    const { key } = await json<{ key: string }>("key", "create", ...anna, "--name", "models");
    const file = path.join(dataDir, "catalogue.yaml");
    const price = "{ input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }";
    const model = `{ id: house-text, llm: ${price}, routes: [{ provider: own, upstream_model: text }] }`;
    const provider = '{ id: own, kind: openai, base_url: "https://example.org/v1", api_key: "${OPENAI_NO_SUCH_KEY}" }';
    await writeFile(file, `providers: [${provider}]\nmodels: [${model}]\n`);
    expect(await json("catalogue", "check", file)).toMatchObject({ models: ["house-text"], faults: [] });
    expect(await json("catalogue", "apply", file)).toEqual({ revision: 1 });
    const ids = async () =>
      ((await (await sendRequest(key, "/api/v1/hub/models")).json()) as { data: { id: string }[] }).data.map(
        ({ id }) => id,
      );
    await expect.poll(ids).toContain("house-text");
  });

  test("lists the providers of the applied catalogue", async () => {
    const { data } = await json<{ data: object[] }>("provider", "list");
    expect(data).toMatchObject([
      { id: "own", key: "missing", missing: ["OPENAI_NO_SUCH_KEY"], routes: [{ route: "own:text", state: "usable" }] },
    ]);
    expect((await cli("providers")).stdout).toBe(
      [
        "own (openai)",
        "key missing: OPENAI_NO_SUCH_KEY is not set",
        "0 in flight",
        "own:text serves house-text: usable",
        "  last success never, last failure never\n",
      ].join("\n  "),
    );
  });

  test("adds models of another catalogue to the applied one, and shows the result", async () => {
    const add = ["catalogue", "add", "catalogues/comfyui.yaml"];
    const printed = await cli(...add, "--dry-run");
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(await json(...add)).toMatchObject({
      revision: 2,
      providers: ["comfyui"],
      models: ["my-flux-schnell"],
      warnings: expect.arrayContaining(["provider comfyui is left out: COMFYUI_URL is not set"]) as string[],
      source: printed.stdout,
    });
    expect((await cli("catalogue", "show")).stdout).toBe(printed.stdout);
    expect(printed.stdout).toContain("house-text");
    expect(printed.stdout).toContain("EmptySD3LatentImage");

    const again = await cli(...add);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("applied catalogue 2 already has my-flux-schnell: use --replace to replace");
    const held = await runCommand(add, { HUB_DATA_DIR: dataDir, HUB_CATALOGUE: "models.yaml" });
    expect(held.stderr).toMatch(/^HUB_CATALOGUE names models.yaml, .*--dry-run/);
  });

  test("compares the applied catalogue with a price list, and applies a model that is named", async () => {
    const list = path.join(dataDir, "prices.json");
    await writeFile(list, JSON.stringify({ "own/text": { input_cost_per_token: 2e-6, output_cost_per_token: 1e-6 } }));
    const sync = ["catalogue", "sync", "--from", list];
    const left = await cli(...sync, "--apply");
    expect(left).toMatchObject({ code: 1, stderr: "" });
    expect(left.stdout).toContain("Left out: house-text changes by 84%, more than 50%. To apply it, name house-text.");
    expect(await json(...sync, "house-text", "--apply")).toMatchObject({
      revision: 3,
      models: [
        {
          model: "house-text",
          changes: [
            { price: "Input", now: 1, then: 1.84 },
            { price: "Output", then: 0.92 },
          ],
        },
      ],
    });
    expect((await cli("catalogue", "show")).stdout).toContain(
      "input_cost_per_million: 1.84, output_cost_per_million: 0.92,",
    );
    await expectRejection(["catalogue", "sync"], "Name a price list with --from");
  });

  test("asks providers whether they know the models", async () => {
    const { code, stdout } = await cli("catalogue", "check", "catalogues/comfyui.yaml", "--online", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      models: ["my-flux-schnell"],
      online: [{ provider: "comfyui", result: "failed", problem: "COMFYUI_URL is not set." }],
    });
    const table = await cli("catalogue", "check", "catalogues/comfyui.yaml", "--online");
    expect(table.stdout).toContain("FAILED       comfyui  my-flux-schnell  COMFYUI_URL is not set.");
  });

  test("lists the engine's runs", async () => {
    const { data } = await json<{ data: { function: string }[] }>("jobs");
    expect(data.map((run) => run.function)).toContain("generation-hub-sweep");
  });

  test("leaves the server's Postgres running", async () => {
    expect((await fetch(`${hub.url}/api/v1/ready`)).status).toBe(200);
  });
});
