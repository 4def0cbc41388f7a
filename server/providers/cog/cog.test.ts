import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testCog } from "../../../test/providers/cog/cases";
import { openCogDouble } from "../../../test/providers/cog/double";
import { type DoubleResponse, openDouble } from "../../../test/providers/double";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import { testSubmitFaults } from "../../../test/providers/submit-faults";
import type { ProviderSettings } from "../../catalogue/model";
import { cog } from "./cog";

let double: Awaited<ReturnType<typeof openCogDouble>>;
let provider: ProviderSettings;

beforeAll(async () => {
  double = await openCogDouble();
  provider = buildProvider("cog", double.url);
});
afterAll(() => double.close());
beforeEach(() => {
  double.setHealth("READY");
  for (const list of [double.requests, double.accepted, double.begun]) list.length = 0;
});

const build = (input: Record<string, unknown> = {}) => buildJob(provider, "", { prompt: "a tree", ...input });

testCog(() => provider);

testSubmitFaults(() => ({ provider: cog, job: build(), double }));

test.each(["500 before", "500 after"] as const)("after %s nobody knows whether the work has ended", async (fault) => {
  double.failNextSubmits(fault);
  const job = build();
  await cog.submit(job, buildIo());
  expect(await cog.recover(job, buildIo())).toMatchObject({ state: "failed", started: "unknown" });
  expect(double.begun.length).toBe(fault === "500 after" ? 1 : 0);
});

test("a submit without a response ends with the job's time and runs once", async () => {
  double.failNextSubmits("no response");
  const timer = new AbortController();
  const job = build();
  const result = cog.submit(job, buildIo({}, timer.signal));
  await expect.poll(() => double.accepted.length).toBe(1);
  timer.abort(new DOMException("The time is over.", "TimeoutError"));
  await expect(result).rejects.toThrow("The time is over.");
  const late = { ...job, deadlineAt: job.openedAt };
  expect(await cog.recover(late, buildIo())).toMatchObject({ started: "unknown", error: { code: "timeout" } });
  expect(double.begun).toEqual([job.attemptId]);
});

test("a container that is not ready starts nothing", async () => {
  double.setHealth("STARTING");
  const job = build();
  expect(await cog.submit(job, buildIo())).toMatchObject({ started: "no", cause: "capacity", upstreamStatus: 503 });
  expect(await cog.check(job.route, buildIo())).toBe("The model is not ready: STARTING.");
  expect(double.begun).toEqual([]);
});

test("an unreachable container leaves the job's state unknown", async () => {
  const job = buildJob(buildProvider("cog", "http://127.0.0.1:9"), "", {});
  await expect(cog.recover(job, buildIo())).rejects.toThrow("cannot be reached");
  expect(await cog.check(job.route, buildIo())).toBe("The provider cannot be reached.");
});

test("reserves memory for its response only when that is there, and sends the key", async () => {
  let acceptedBefore = 0;
  const reserveMemory = async () => void (acceptedBefore = double.accepted.length);
  expect((await cog.submit(build(), { ...buildIo(), reserveMemory })).state).toBe("succeeded");
  expect(acceptedBefore).toBe(1);
  expect(double.accepted[0]!.headers.authorization).toBe("Bearer test-key-0123456789");
});

const LENGTH_2_GIB = { "content-length": "2147483648" };

async function* endless() {
  for (;;) yield Buffer.alloc(1024 * 1024, " ");
}

test.each<[string, DoubleResponse, unknown]>([
  ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:9/" } }, { started: "no", cause: "outage" }],
  ["a response of 2 GiB", { status: 200, headers: LENGTH_2_GIB, body: endless() }, { started: "unknown" }],
  ["another server's JSON", { status: 200, body: { hello: "world" } }, { started: "unknown" }],
  ["a broken data URI", { status: 200, body: { status: "succeeded", output: "data:image/png;base64,%" } }, "rejected"],
])("rejects %s", async (_, response, expected) => {
  const odd = await openDouble({ isSubmit: () => true, respond: () => response, describeError: () => ({}) });
  const job = buildJob(buildProvider("cog", odd.url), "", {});
  const result = cog.submit(job, buildIo()).catch((error: unknown) => error);
  if (expected === "rejected") expect(await result).toMatchObject({ failure: { code: "invalid_output" } });
  else expect(await result).toMatchObject({ state: "failed", ...(expected as object) });
  expect(odd.requests).toHaveLength(1);
  await odd.close();
});
