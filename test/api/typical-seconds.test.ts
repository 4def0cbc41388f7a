import { expect, test } from "vitest";
import { readTypicalSeconds } from "../../server/domain/model-times";
import { explainPlan } from "../explain-plan";
import { addGpuModels, newWorker } from "../workers/test-workers";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost({ LOG_LEVEL: "error" });
const { hub } = host;
addGpuModels(hub);
const customer = await newCustomer(hub, { credit: 1_000 });
const { token } = await newWorker(hub);
const send = (path: string, body: unknown) => callApi(host, "POST", `/api/v1/worker/${path}`, { key: token, body });

/** Runs a job for this many seconds. */
async function run(seconds: number, verb: "complete" | "fail" = "complete") {
  await callApi(host, "POST", "/api/v1/hub/generations", { key: customer.key, body: { model: "gpu-a", input: {} } });
  const { lease } = (await send("claim", { models: ["gpu-a"] })).body as { lease: { id: string; fence: number } };
  hub.clock.advance(seconds * 1000);
  const failure = verb === "fail" && { code: "provider_error", message: "It broke.", retryable: false };
  const ended = await send(`leases/${lease.id}/${verb}`, { fence: lease.fence, gpu_ms: 1, ...failure });
  expect(ended.status).toBe(200);
}

const read = async (id: string) => (await callApi(host, "GET", `/api/v1/hub/models/${id}`, customer)).body;

test("a model tells the median time of its successes, read again every five minutes", async () => {
  expect(await read("gpu-a")).toMatchObject({ typical_seconds: null });
  for (const seconds of [4, 30, 12]) await run(seconds);
  await run(1, "fail");
  expect(await read("gpu-a")).toMatchObject({ typical_seconds: null });
  hub.clock.advance(300_001);
  // The clock runs on meanwhile.
  const readSeconds = async () => Math.round((await read("gpu-a")).typical_seconds as number);
  await expect.poll(readSeconds).toBe(12);
  expect(await read("gpu-b")).toMatchObject({ typical_seconds: null });
  const { data } = (await callApi(host, "GET", "/api/v1/hub/models", customer)).body as {
    data: { id: string; typical_seconds: number | null }[];
  };
  expect(Math.round(data.find(({ id }) => id === "gpu-a")!.typical_seconds!)).toBe(12);
});

test("reads only the newest successes of each model, by an index", async () => {
  const plan = await explainPlan(hub, (on) => readTypicalSeconds(on));
  expect(plan).toContain("generation_succeeded_by_model");
  expect(plan).not.toContain("Seq Scan");
});
