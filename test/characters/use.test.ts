import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import type { Hub } from "../../server/domain/hub";
import { createToken } from "../../server/domain/workers/worker";
import { runAudit } from "../../server/domain/audit/audit";
import { expireFiles } from "../../server/domain/files/expire";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { cancelStoredGeneration } from "../../server/domain/generations/end/cancel";
import { runAttempt } from "../../server/domain/generations/run/run-attempt";
import type { Ctx } from "../../server/context";
import { newId } from "../../server/lib/id";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";
import { createTestTrainer } from "./test-trainer";
import { CHARACTERS, GENERATIONS, openCharacterFixture, type CharacterFixture } from "./character-fixture";
import { testOperator } from "../operator";

const host = await openOwnHost();
const { hub } = host;
const DAY_MS = 86_400_000;
const gpuModel = (id: string, parameters: string, rename = "{}") => `
  - id: ${id}
    gpu: { price_per_second: 0.0001, max_seconds: 60 }
    parameters_schema: { type: object, properties: { ${parameters} } }
    routes: [{ provider: worker, rename: ${rename} }]`;
hub.catalogue = new Map([
  ...hub.catalogue,
  ...catalogueOf(
    gpuModel("my-trainer", "images: { type: array, items: { type: string, format: uri } }") +
      gpuModel("my-painter", "character: { type: integer }", "{ character: who }") +
      gpuModel("my-writer", "character: { type: string }"),
  ),
]);
const trainer = createTestTrainer(hub);
const own = createTestTrainer(hub, ["my-trainer"]);

let fixture: CharacterFixture;
beforeEach(async () => {
  fixture = await openCharacterFixture(host);
});

async function ready(base_model = "sandbox-trainer", content?: string): Promise<number> {
  const { id } = await fixture.createDraft({ base_model });
  await fixture.start(id);
  const worker = base_model === "sandbox-trainer" ? trainer : own;
  await worker.complete(await worker.leaseJob(), 0, content);
  return id;
}
const outputsOf = async (id: number) =>
  (
    (await fixture.getGeneration((await fixture.getCharacter(id)).generation_id)).outputs as {
      url: string;
      expires_at: string;
    }[]
  ).map(({ url, expires_at }) => ({ path: new URL(url).pathname, expires_at }));
const use = (character: unknown, model = "sandbox-image", by = fixture) =>
  by.send("POST", GENERATIONS, {
    model,
    input: model === "sandbox-image" ? { prompt: "p", character } : { character },
  });
const runToEnd = async (id: string) => {
  const run = { generationId: id, runId: newId() };
  expect(await markRunning(hub, run)).toBe("running");
  return runAttempt(hub, run, 1);
};

test("only a ready character of the account can be used, and only by its id", async () => {
  const none = { "input.character": ["is not a ready character of this account"] };
  const otherCustomer = await openCharacterFixture(host);
  const [mine, draft, deleted] = [await ready(), (await fixture.createDraft()).id, await ready()];
  await fixture.send("DELETE", `${CHARACTERS}/${deleted}`);
  const { id: canceled } = await fixture.createDraft();
  await fixture.start(canceled);
  expect((await use(canceled)).body.errors).toEqual(none);
  await fixture.cancel(canceled);
  for (const id of [draft, deleted, canceled, 2_147_483_647]) {
    expect(await use(id)).toMatchObject({ status: 400, body: { code: "invalid_input", errors: none } });
  }
  expect((await use(mine, "sandbox-image", otherCustomer)).body.errors).toEqual(none);
  for (const id of [0, -1, 2_147_483_648, 1.5, String(mine), null, [mine]]) {
    expect(Object.keys((await use(id)).body.errors as object), String(id)).toEqual(["input.character"]);
  }
  // A model without a limit has the default.
  for (const id of [-1, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
    expect((await use(id, "my-painter")).body.errors).toEqual(none);
  }
  expect((await use(mine)).status).toBe(202);
  expect((await fixture.send("POST", "/api/v1/hub/models/sandbox-image/pricing", { input: { prompt: "p", character: draft } })).status).toBe(200); // prettier-ignore
});

test("models accept only compatible characters, and name the incompatible one", async () => {
  const [theirs, mine] = [await ready(), await ready("my-trainer")];
  expect((await fixture.getCharacter(theirs)).model).toBe("sandbox-image");
  expect((await fixture.getCharacter(mine)).model).toBe("my-painter");
  expect((await use(mine)).body.errors).toEqual({
    "input.character": ["was trained by my-trainer, whose characters this model cannot use"],
  });
  expect((await use(theirs, "my-painter")).status).toBe(400);
  // A parameter that is merely named `character` is not a reference.
  expect((await use("nobody", "my-writer")).body).toMatchObject({ status: "queued", input: { character: "nobody" } });
});

test("colours the sandbox's image, the same for the same input", async () => {
  const id = await ready();
  const picture = async () => {
    const made = (await use(id)).body.id as string;
    const step = await runToEnd(made);
    expect(step).toMatchObject({ next: "succeed" });
    const [file] = await hub.db.query<{ id: string }>("SELECT id FROM file WHERE generation_id = $1", [made]);
    const content = await hub.storage.open(file!.id);
    const chunks: Buffer[] = [];
    for await (const chunk of content!) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  const [one, other] = [await picture(), await picture()];
  expect(one.equals(other)).toBe(true);
  const { dominant } = await sharp(one).extract({ left: 0, top: 950, width: 1024, height: 74 }).stats();
  expect(dominant.g).toBeGreaterThan(200);
  expect(dominant.r + dominant.b).toBeLessThan(100);
});

test.each(["{}", "no JSON", JSON.stringify({ palette: [{ hex: "url(#x)" }] })])(
  "with %s as its training result fails the generation with an error",
  async (content) => {
    const { id } = (await use(await ready("sandbox-trainer", content))).body;
    expect(await runToEnd(id as string)).toMatchObject({
      next: "fail",
      error: { code: "input_unavailable", message: "The character has learned no colours.", retryable: false },
    });
  },
);

test("is passed to a worker as signed links, in the worker's parameter name", async () => {
  const id = await ready("my-trainer", '"weights"');
  expect((await use(id, "my-painter")).body).toMatchObject({ status: "queued", input: { character: id } });
  const { token } = await createToken(hub, testOperator, newId());
  const claimed = await callApi(host, "POST", "/api/v1/worker/claim", { key: token, body: { models: ["my-painter"] } });
  const { who } = (claimed.body.generation as { input: { who: { outputs: { url: string }[] } } }).input;
  const [output] = who.outputs;
  expect(who).toEqual({
    id,
    name: "Ada",
    trigger_word: null,
    outputs: [{ url: expect.stringContaining("signature=") as string, media_type: "application/json" }],
  });
  const { pathname, search } = new URL(output!.url);
  const fetched = await callApi(host, "GET", pathname + search);
  expect([fetched.status, fetched.bytes.toString()]).toEqual([200, '"weights"']);
});

test("its training result is kept as long as the character, and as generations that use it", async () => {
  const id = await ready();
  const [output] = await outputsOf(id);
  expect(output!.expires_at).toBe("9999-12-31T23:59:59.999Z");
  hub.clock.advance(400 * DAY_MS);
  await expireFiles(hub, 100);
  expect((await fixture.send("GET", output!.path)).status).toBe(200);
  expect(await fixture.send("DELETE", output!.path)).toMatchObject({ status: 409, body: { code: "file_in_use" } });

  const made = (await use(id)).body.id as string;
  await fixture.send("DELETE", `${CHARACTERS}/${id}`);
  expect((await use(id)).status).toBe(400);
  const [left] = await hub.db.query<{ expires_at: Date }>("SELECT expires_at FROM file WHERE id = $1", [
    output!.path.split("/").at(-1),
  ]);
  expect(left!.expires_at.getTime() - hub.now().getTime()).toBeLessThanOrEqual(30 * DAY_MS);
  hub.clock.advance(31 * DAY_MS);
  await expireFiles(hub, 100);
  expect((await fixture.send("GET", output!.path)).status).toBe(200);
  expect((await fixture.send("DELETE", output!.path)).status).toBe(409);
  const ctx: Ctx<Hub> = {
    hub,
    actor: { kind: "user" },
    requestId: "test",
    account: { id: fixture.customer.account, email: "", member: false, balance: 0n, reserved: 0n },
  };
  await cancelStoredGeneration(ctx, made);
  expect((await fixture.send("GET", output!.path)).status).toBe(410);
  expect(await expireFiles(hub, 100)).toBeGreaterThan(0);
});

test("a generation accepted before its deletion still uses it", async () => {
  const id = await ready();
  const made = (await use(id)).body.id as string;
  await fixture.send("DELETE", `${CHARACTERS}/${id}`);
  expect(await runToEnd(made)).toMatchObject({ next: "succeed" });
});

test("a generation whose character lost its files fails with an error", async () => {
  const id = await ready();
  const [output] = await outputsOf(id);
  const made = (await use(id)).body.id as string;
  const file = output!.path.split("/").at(-1)!;
  await hub.db.query("UPDATE file SET removed_at = $2 WHERE id = $1", [file, hub.now()]);
  expect(await runToEnd(made)).toMatchObject({
    next: "fail",
    error: { code: "input_unavailable", message: "The files of the character do not exist any more." },
  });
  expect((await use(id)).status).toBe(400);
  await hub.db.query("UPDATE file SET removed_at = NULL WHERE id = $1", [file]);
});

test("the audit finds no violation after these generations", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
