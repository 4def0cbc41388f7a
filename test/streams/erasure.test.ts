import { afterAll, expect, test } from "vitest";
import { followJobs } from "../../server/process/notifications";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { WAIT } from "../wait";
import { openStream } from "./event-reader";

const host = await openRunningHost();
const { hub } = host;
hub.services.openStreams.beatMs = 200;
const stopFollowing = followJobs(hub, hub.databaseUrl);
afterAll(() => stopFollowing());

const GENERATIONS = "/api/v1/hub/generations";
const STREAM = "/api/v1/hub/events/stream";

test("an open stream goes on after an erasure, and one that resumes gets the reduced records", async () => {
  const { key } = await newCustomer(hub);
  const canary = "canarystream4711";
  const create = async (prompt: string) => {
    const body = { model: "sandbox-image", input: { prompt } };
    return String((await callApi(host, "POST", GENERATIONS, { key, body })).body.id);
  };
  const leaving = new AbortController();
  const stream = await openStream(host, STREAM, { key, signal: leaving.signal });
  await expect.poll(() => stream.lastId).not.toBe("");
  const start = stream.lastId;
  const countEnded = ({ events }: typeof stream, id: string) =>
    events.filter(({ event, data }) => event === "webhook" && data.data.id === id && data.data.status === "succeeded")
      .length;
  const erased = await create(`a pier ${canary}`);
  await expect.poll(() => countEnded(stream, erased), WAIT).toBe(1);
  expect(stream.text).toContain(canary);
  expect((await callApi(host, "DELETE", `${GENERATIONS}/${erased}`, { key })).status).toBe(204);

  const before = stream.text.length;
  const later = await create("a quay");
  await expect.poll(() => countEnded(stream, later), WAIT).toBe(1);
  expect(stream.text.slice(before)).not.toContain(canary);

  const resumed = await openStream(host, STREAM, { key, lastEventId: start, signal: leaving.signal });
  await expect.poll(() => countEnded(resumed, later), WAIT).toBe(1);
  expect(countEnded(resumed, erased)).toBe(1);
  expect(resumed.text).not.toContain(canary);
  leaving.abort();
  await Promise.all([stream.ended, resumed.ended]);
});
