import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { followJobs } from "../../server/process/notifications";
import { startSandboxWorker } from "../../server/process/sandbox-worker";
import { openRunningHost } from "../api/hosts";
import { openCharacterFixture } from "../characters/character-fixture";
import { makePng } from "../media/png";
import { openExternalServer } from "./external-server";

const content = await makePng("#c02020");
const externalServer = await openExternalServer({ "/ada.png": (_, response) => response.end(content) });
const host = await openRunningHost({ OUTBOUND_ALLOW_HOSTS: externalServer.host });
const { hub } = host;
const stopFollowing = followJobs(hub, hub.databaseUrl);
const stop = startSandboxWorker(hub);
afterAll(async () => {
  await stop();
  await stopFollowing();
});

test("trains a character with images at external URLs, each downloaded once and before the training", async () => {
  const fixture = await openCharacterFixture(host);
  const { id } = await fixture.createDraft({ images: [externalServer.url("/ada.png"), fixture.image] });
  expect((await fixture.start(id)).status).toBe(202);
  await fixture.waitForStatus(id, "ready");
  expect(externalServer.count("/ada.png")).toBe(1);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("fails a training before it starts, and free of charge, if an image cannot be downloaded", async () => {
  const fixture = await openCharacterFixture(host);
  const before = await fixture.getAccount();
  const { id } = await fixture.createDraft({ images: ["http://10.0.0.1/ada.png"] });
  const { generation_id } = (await fixture.start(id)).body as { generation_id: string };
  await fixture.waitForStatus(id, "failed");
  expect(await fixture.getGeneration(generation_id)).toMatchObject({
    status: "failed",
    started_at: null,
    billed_cost: null,
    error: { code: "input_unavailable", retryable: false },
  });
  expect(await fixture.getAccount()).toEqual(before);
});
