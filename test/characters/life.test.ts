import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { followJobs } from "../../server/process/notifications";
import { startSandboxWorker } from "../../server/process/sandbox-worker";
import { openRunningHost } from "../api/hosts";
import { hashOf } from "../insert-file";
import { makePng } from "../media/png";
import { CHARACTERS, GENERATIONS, openCharacterFixture, type CharacterFixture } from "./character-fixture";

const host = await openRunningHost();
const { hub } = host;
const unfollow = followJobs(hub, hub.databaseUrl);
const stopWorker = startSandboxWorker(hub);
afterAll(async () => {
  await stopWorker();
  await unfollow();
});

/** Returns the step of the last checkpoint of a training. */
const readStep = async (id: string) =>
  (
    await hub.db.query<{ step: number | null }>(
      "SELECT (checkpoint ->> 'step')::int AS step FROM generation WHERE id = $1",
      [id],
    )
  )[0]!.step;
const nano = (euros: number) => Math.round(euros * 1e9);
let fixture: CharacterFixture;
beforeEach(async () => {
  fixture = await openCharacterFixture(host);
});

test("a character is drafted, trained with progress and used, and billed once", async () => {
  const { send, createDraft, start, getCharacter, getGeneration, getAccount, image } = fixture;
  await send("GET", "/api/v1/hub/events?after=latest");
  const made = await createDraft({ trigger_word: "[slow:3] ada", parameters: { steps: 20 } });
  expect(made).toEqual({
    id: made.id,
    name: "Ada",
    status: "draft",
    base_model: "sandbox-trainer",
    trigger_word: "[slow:3] ada",
    images: [image],
    parameters: { steps: 20 },
    estimated_cost: 0.06,
    billed_cost: null,
    currency: "EUR",
    progress: null,
    missing: [],
    error: null,
    generation_id: null,
    model: null,
    created_at: expect.any(String) as string,
    updated_at: made.created_at,
  });
  expect(await getCharacter(made.id)).toEqual(made);
  expect((await getAccount()).available).toBe(10);

  const started = await start(made.id, { max_cost: 0.06 });
  expect([started.status, started.body]).toMatchObject([202, { status: "queued", estimated_cost: 0.06 }]);
  expect((await getAccount()).available).toBe(9.94);
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const { status, progress } = await getCharacter(made.id);
        if (progress !== null) seen.add(progress);
        return status;
      },
      { timeout: 20_000, interval: 30 },
    ) // prettier-ignore
    .toBe("ready");
  expect([...seen]).toEqual([...seen].toSorted((a, b) => a - b));
  expect(seen.size).toBeGreaterThan(3);

  const ready = await getCharacter(made.id);
  expect(ready).toMatchObject({ status: "ready", progress: 1, model: "sandbox-image", error: null });
  expect(ready.updated_at > made.updated_at).toBe(true);
  const training = await getGeneration(ready.generation_id);
  expect(training).toMatchObject({
    id: ready.generation_id,
    model: "sandbox-trainer",
    provider: "worker",
    status: "succeeded",
    billed_cost: ready.billed_cost,
    estimated_cost: 0.06,
    input: { images: [image], trigger_word: "[slow:3] ada", steps: 20 },
  });
  expect(nano(ready.billed_cost!)).toBeGreaterThan(nano(0.0005));
  expect(nano((await getAccount()).balance)).toBe(nano(10) - nano(ready.billed_cost!));

  const prompt = "a lighthouse";
  const used = await send("POST", GENERATIONS, { model: ready.model, input: { prompt, character: made.id } });
  expect(used).toMatchObject({ status: 202, body: { input: { prompt, character: made.id }, estimated_cost: 0.0092 } });
  const id = used.body.id as string;
  await expect.poll(async () => (await getGeneration(id)).status, { timeout: 20_000 }).toBe("succeeded");
  const drawn = (await getGeneration(id)).outputs as { url: string }[];
  const { bytes } = await send("GET", new URL(drawn[0]!.url).pathname);
  const { dominant } = await sharp(bytes).extract({ left: 0, top: 900, width: 1024, height: 124 }).stats();
  expect(dominant.r).toBeGreaterThan(150);
  expect(dominant.g + dominant.b).toBeLessThan(150);
  expect(nano((await getAccount()).balance)).toBe(nano(10) - nano(ready.billed_cost!) - nano(0.0092));

  const events = (await send("GET", "/api/v1/hub/events")).body.data as { event: string; data: { id: string } }[];
  const sentEvents = events.filter(({ data }) => data.id === ready.generation_id).map(({ event }) => event);
  expect(sentEvents).toEqual(["generation.running", "generation.completed"]);
  const listed = (await send("GET", `${GENERATIONS}?model=sandbox-trainer`)).body.data;
  expect(listed).toEqual([training]);
});

test("a canceled training is resumed from its checkpoint, at the price of the rest", async () => {
  const { createDraft, start, cancel, resume, getCharacter, getGeneration, getAccount } = fixture;
  const { id } = await createDraft({ trigger_word: "[slow:4]" });
  await start(id);
  await expect
    .poll(async () => (await getCharacter(id)).progress, { timeout: 20_000, interval: 50 })
    .toBeGreaterThan(0.3);
  const canceled = (await cancel(id)).body as { id: string; billed_cost: number };
  expect(canceled).toMatchObject({ id: (await getCharacter(id)).generation_id, status: "canceled" });
  expect(canceled.billed_cost).toBeGreaterThan(0.0005);

  const resumed = (await resume(id)).body as { estimated_cost: number; progress: number };
  expect(resumed.estimated_cost).toBeLessThanOrEqual(0.06 - canceled.billed_cost);
  expect(resumed.progress).toBeGreaterThan(0.3);
  const steps = new Set<number>();
  const watchSteps = async () => {
    const { status, generation_id } = await getCharacter(id);
    steps.add((await readStep(generation_id)) ?? Infinity);
    return status;
  };
  await expect.poll(watchSteps, { timeout: 20_000, interval: 50 }).toBe("ready");
  const done = await getCharacter(id);
  const last = (await getGeneration(done.generation_id)) as { id: string; billed_cost: number };
  expect(last.id).not.toBe(canceled.id);
  // A training from the start would have stored its first steps again.
  expect(Math.min(...steps)).toBe(await readStep(canceled.id));
  expect(last.billed_cost).toBeLessThanOrEqual(resumed.estimated_cost);
  expect(nano(done.billed_cost!)).toBe(nano(canceled.billed_cost) + nano(last.billed_cost));
  expect(nano((await getAccount()).balance)).toBe(nano(10) - nano(done.billed_cost!));
});

test("images that are uploaded later start the training automatically", async () => {
  const content = await makePng("#20c020");
  const { id } = await fixture.createDraft({ images: [`sha256:${hashOf(content)}`] });
  expect((await fixture.start(id)).body).toMatchObject({ status: "awaiting_supply" });
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), "green.png");
  const { key } = fixture.customer;
  const headers = { authorization: `Bearer ${key}` };
  const uploaded = await fetch(`${host.url}/api/v1/hub/files`, { method: "POST", headers, body: form });
  expect(uploaded.status).toBe(201);
  await fixture.waitForStatus(id, "ready");
});

test("a failed training is free, and can be resumed again after the cause is fixed", async () => {
  const { createDraft, start, resume, getCharacter, waitForStatus, send, getAccount } = fixture;
  const { id } = await createDraft({ trigger_word: "[fail]" });
  await start(id);
  await waitForStatus(id, "failed");
  const error = { code: "provider_error", message: "The trigger word says [fail].", retryable: false };
  const failed = await getCharacter(id);
  expect(failed).toMatchObject({ error, billed_cost: 0, model: null });
  expect((await resume(id)).status).toBe(202);
  await waitForStatus(id, "failed");
  expect((await getCharacter(id)).generation_id).not.toBe(failed.generation_id);
  await send("PATCH", `${CHARACTERS}/${id}`, { trigger_word: "[flaky]" });
  expect((await resume(id)).body).toMatchObject({ error: null });
  await waitForStatus(id, "ready");
  expect(nano((await getAccount()).balance)).toBe(nano(10) - nano((await getCharacter(id)).billed_cost!));
});

test("the audit finds no violation after these trainings", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
