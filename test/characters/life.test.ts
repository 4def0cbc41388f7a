import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { followWorkers } from "../../server/process/follow-workers";
import { startSandboxWorker } from "../../server/process/sandbox-worker";
import { openRunningHost } from "../api/hosts";
import { hashOf } from "../keep-file";
import { CHARACTERS, GENERATIONS, openCharacterFixture, picture, type CharacterFixture } from "./character-fixture";

const host = await openRunningHost();
const { hub } = host;
const unfollow = followWorkers(hub, hub.databaseUrl);
const stopWorker = startSandboxWorker(hub);
afterAll(async () => {
  await stopWorker();
  await unfollow();
});

const nano = (euros: number) => Math.round(euros * 1e9);
let studio: CharacterFixture;
beforeEach(async () => {
  studio = await openCharacterFixture(host);
});

test("a character is drafted, trained with progress, and used; what it cost is charged once", async () => {
  const { ask, draft, start, read, generation, me, image } = studio;
  await ask("GET", "/api/v1/hub/events?after=latest");
  const made = await draft({ trigger_word: "[slow:1] ada", parameters: { steps: 20 } });
  expect(made).toEqual({
    ...{ id: made.id, name: "Ada", status: "draft", base_model: "sandbox-trainer", trigger_word: "[slow:1] ada" },
    ...{ images: [image], parameters: { steps: 20 }, estimated_cost: 0.06, billed_cost: null, currency: "EUR" },
    ...{ progress: null, missing: [], error: null, generation_id: null, model: null },
    ...{ created_at: expect.any(String) as string, updated_at: made.created_at },
  });
  expect(await read(made.id)).toEqual(made);
  expect((await me()).available).toBe(10);

  const started = await start(made.id, { max_cost: 0.06 });
  expect([started.status, started.body]).toMatchObject([202, { status: "queued", estimated_cost: 0.06 }]);
  expect((await me()).available).toBe(9.94);
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const { status, progress } = await read(made.id);
        if (progress !== null) seen.add(progress);
        return status;
      },
      { timeout: 20_000, interval: 30 },
    ) // prettier-ignore
    .toBe("ready");
  expect([...seen]).toEqual([...seen].toSorted((a, b) => a - b));
  expect(seen.size).toBeGreaterThan(3);

  const ready = await read(made.id);
  expect(ready).toMatchObject({ status: "ready", progress: 1, model: "sandbox-image", error: null });
  expect(ready.updated_at > made.updated_at).toBe(true);
  const training = await generation(ready.generation_id);
  expect(training).toMatchObject({
    ...{ id: ready.generation_id, model: "sandbox-trainer", provider: "worker", status: "succeeded" },
    ...{ billed_cost: ready.billed_cost, estimated_cost: 0.06 },
    input: { images: [image], trigger_word: "[slow:1] ada", steps: 20 },
  });
  expect(nano(ready.billed_cost!)).toBeGreaterThan(nano(0.0005));
  expect(nano((await me()).balance)).toBe(nano(10) - nano(ready.billed_cost!));

  const prompt = "a lighthouse";
  const used = await ask("POST", GENERATIONS, { model: ready.model, input: { prompt, character: made.id } });
  expect(used).toMatchObject({ status: 202, body: { input: { prompt, character: made.id }, estimated_cost: 0.0092 } });
  const id = used.body.id as string;
  await expect.poll(async () => (await generation(id)).status, { timeout: 20_000 }).toBe("succeeded");
  const drawn = (await generation(id)).outputs as { url: string }[];
  const { bytes } = await ask("GET", new URL(drawn[0]!.url).pathname);
  const { dominant } = await sharp(bytes).extract({ left: 0, top: 900, width: 1024, height: 124 }).stats();
  expect(dominant.r).toBeGreaterThan(150);
  expect(dominant.g + dominant.b).toBeLessThan(150);
  expect(nano((await me()).balance)).toBe(nano(10) - nano(ready.billed_cost!) - nano(0.0092));

  const events = (await ask("GET", "/api/v1/hub/events")).body.data as { event: string; data: { id: string } }[];
  const told = events.filter(({ data }) => data.id === ready.generation_id).map(({ event }) => event);
  expect(told).toEqual(["generation.running", "generation.completed"]);
  const listed = (await ask("GET", `${GENERATIONS}?model=sandbox-trainer`)).body.data;
  expect(listed).toEqual([training]);
});

test("a training canceled in the middle is resumed from its checkpoint, for what is left", async () => {
  const { draft, start, cancel, resume, read, becomes, generation, me } = studio;
  const { id } = await draft({ trigger_word: "[slow:4]" });
  await start(id);
  await expect.poll(async () => (await read(id)).progress, { timeout: 20_000, interval: 50 }).toBeGreaterThan(0.3);
  const canceled = (await cancel(id)).body as { id: string; billed_cost: number };
  expect(canceled).toMatchObject({ id: (await read(id)).generation_id, status: "canceled" });
  expect(canceled.billed_cost).toBeGreaterThan(0.0005);

  const resumed = (await resume(id)).body as { estimated_cost: number; progress: number };
  expect(resumed.estimated_cost).toBeLessThanOrEqual(0.06 - canceled.billed_cost);
  expect(resumed.progress).toBeGreaterThan(0.3);
  await becomes(id, "ready");
  const done = await read(id);
  const last = (await generation(done.generation_id)) as { id: string; billed_cost: number };
  expect(last.id).not.toBe(canceled.id);
  // A whole one would have taken its four seconds again.
  expect(last.billed_cost).toBeLessThan(0.0005 * 3.5);
  expect(nano(done.billed_cost!)).toBe(nano(canceled.billed_cost) + nano(last.billed_cost));
  expect(nano((await me()).balance)).toBe(nano(10) - nano(done.billed_cost!));
});

test("pictures that are uploaded later start the training by themselves", async () => {
  const content = await picture("#20c020");
  const { id } = await studio.draft({ images: [`sha256:${hashOf(content)}`] });
  expect((await studio.start(id)).body).toMatchObject({ status: "awaiting_supply" });
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), "green.png");
  const { key } = studio.customer;
  const headers = { authorization: `Bearer ${key}` };
  const uploaded = await fetch(`${host.url}/api/v1/hub/files`, { method: "POST", headers, body: form });
  expect(uploaded.status).toBe(201);
  await studio.becomes(id, "ready");
});

test("one that failed is free; it is resumed, and again once what was wrong is changed", async () => {
  const { draft, start, resume, read, becomes, ask, me } = studio;
  const { id } = await draft({ trigger_word: "[fail]" });
  await start(id);
  await becomes(id, "failed");
  const error = { code: "provider_error", message: "The trigger word says [fail].", retryable: false };
  const failed = await read(id);
  expect(failed).toMatchObject({ error, billed_cost: 0, model: null });
  expect((await resume(id)).status).toBe(202);
  await becomes(id, "failed");
  expect((await read(id)).generation_id).not.toBe(failed.generation_id);
  await ask("PATCH", `${CHARACTERS}/${id}`, { trigger_word: "[flaky]" });
  expect((await resume(id)).body).toMatchObject({ error: null });
  await becomes(id, "ready");
  expect(nano((await me()).balance)).toBe(nano(10) - nano((await read(id)).billed_cost!));
});

test("after all of it, the audit finds nothing", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
