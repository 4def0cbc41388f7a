import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { followWorkers } from "../../server/process/follow-workers";
import { startSandboxWorker } from "../../server/process/sandbox-worker";
import { openRunningHost } from "../api/hosts";
import { openCharacterFixture, picture } from "../characters/character-fixture";
import { openOutside } from "./outside-server";

const content = await picture("#c02020");
const outside = await openOutside({ "/ada.png": (_, response) => response.end(content) });
const host = await openRunningHost({ OUTBOUND_ALLOW_HOSTS: outside.host });
const { hub } = host;
const unfollow = followWorkers(hub, hub.databaseUrl);
const stop = startSandboxWorker(hub);
afterAll(async () => {
  await stop();
  await unfollow();
});

test("a character learns from pictures at outside addresses, which are fetched once and before", async () => {
  const studio = await openCharacterFixture(host);
  const { id } = await studio.draft({ images: [outside.url("/ada.png"), studio.image] });
  expect((await studio.start(id)).status).toBe(202);
  await studio.becomes(id, "ready");
  expect(outside.count("/ada.png")).toBe(1);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("one whose picture cannot be had fails before it starts, and costs nothing", async () => {
  const studio = await openCharacterFixture(host);
  const before = await studio.me();
  const { id } = await studio.draft({ images: ["http://10.0.0.1/ada.png"] });
  const { generation_id } = (await studio.start(id)).body as { generation_id: string };
  await studio.becomes(id, "failed");
  expect(await studio.generation(generation_id)).toMatchObject({
    ...{ status: "failed", started_at: null, billed_cost: null },
    error: { code: "input_unavailable", retryable: false },
  });
  expect(await studio.me()).toEqual(before);
});
