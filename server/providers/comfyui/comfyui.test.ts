import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openComfyuiDouble } from "../../../test/providers/comfyui/double";
import { buildWorkflowJob, readOutputs, runJob, withNodes, workflow } from "../../../test/providers/comfyui/job";
import { type DoubleMaker, type DoubleResponse, openDouble } from "../../../test/providers/double";
import { buildIo, buildProvider } from "../../../test/providers/job";
import { testSubmitFaults } from "../../../test/providers/submit-faults";
import type { ProviderSettings, Workflow } from "../../catalogue/model";
import { ApiError } from "../http/call-api";
import { comfyui } from "./comfyui";

let double: Awaited<ReturnType<typeof openComfyuiDouble>>;
let provider: ProviderSettings;

beforeAll(async () => {
  double = await openComfyuiDouble();
  provider = buildProvider("comfyui", double.url);
});
afterAll(() => double.close());
beforeEach(() => {
  double.restart();
  double.state.endsBetweenReads = false;
  double.requests.length = double.accepted.length = 0;
});

const build = (input: Record<string, unknown> = {}, used?: Workflow) => buildWorkflowJob(provider, input, used);

/** Returns the graph of the last submit. */
const sentGraph = () => (double.accepted.at(-1)!.json as { prompt: Workflow["nodes"] }).prompt;

test("runs a workflow with the parameters of a job", async () => {
  const job = build({ seed: 7 });
  const id = job.attemptId;
  const pending = { state: "pending", upstreamId: id, progress: null, pollAfterSeconds: 1 };
  expect(await comfyui.submit(job, buildIo())).toEqual(pending);
  expect(await comfyui.poll(job, id, buildIo())).toEqual({ ...pending, queuePosition: 0 });
  expect(await comfyui.poll(job, id, buildIo())).toEqual(pending);
  const state = await comfyui.poll(job, id, buildIo());
  expect(state).toMatchObject({ state: "succeeded", usage: { computeSeconds: 2.5 } });
  expect(await readOutputs(state)).toEqual([expect.stringContaining("SaveImage")]);
  expect(double.accepted[0]!.json).toMatchObject({ prompt_id: id, client_id: id });
  expect(sentGraph()).toEqual({
    ...workflow.nodes,
    "3": { ...workflow.nodes["3"], inputs: { ...workflow.nodes["3"]!.inputs, seed: 7 } },
    "6": { ...workflow.nodes["6"], inputs: { text: "a tree", clip: ["4", 1] } },
    "9": { ...workflow.nodes["9"], inputs: { filename_prefix: `hub/${id}`, images: ["3", 0] } },
  });
  expect([...double.state.files.keys()].at(-1)).toBe(`output/hub/${id}_00001_.png`);
});

test("jobs with the same input have files of their own, and a seed of their own unless they name one", async () => {
  const states = [
    await runJob(build()),
    await runJob(build()),
    await runJob(build({ seed: 1 })),
    await runJob(build({ seed: 1 })),
  ];
  const seeds = double.accepted.map(({ json }) => (json as { prompt: Workflow["nodes"] }).prompt["3"]!.inputs.seed);
  expect(new Set(seeds.slice(0, 2)).size).toBe(2);
  expect(seeds.slice(2)).toEqual([1, 1]);
  const contents = await Promise.all(states.map(readOutputs));
  expect(new Set(contents.flat()).size).toBe(4);
});

test("a workflow that names no files lists those of an earlier run", async () => {
  const plain = withNodes({ "9": { class_type: "PreviewImage", inputs: { images: ["3", 0] } } });
  plain.nodes["10"] = { class_type: "SaveAudio", inputs: { audio: ["3", 1], filename_prefix: ["6", 0] } };
  const first = await readOutputs(await runJob(build({ seed: 1 }, plain)));
  expect(await readOutputs(await runJob(build({ seed: 1 }, plain)))).toEqual(first);
  expect(first).toHaveLength(1);
});

test("returns the files of all output nodes, or of those that the route names, without previews", async () => {
  const many = withNodes({
    "10": { class_type: "SaveAudio", inputs: { audio: ["3", 1], filename_prefix: "a" } },
    "11": { class_type: "VHS_VideoCombine", inputs: { images: ["3", 0], filename_prefix: "b" } },
    "12": { class_type: "SaveVideo", inputs: { video: ["3", 0], filename_prefix: "c" } },
    "13": { class_type: "PreviewImage", inputs: { images: ["3", 0] } },
  });
  const classes = async (used: Workflow) =>
    (await readOutputs(await runJob(build({}, used)))).map((text) => /Save\w+|VHS_\w+/.exec(text)?.[0]);
  expect(await classes(many)).toEqual(["SaveImage", "SaveAudio", "VHS_VideoCombine", "SaveVideo"]);
  expect(await classes({ ...many, outputs: ["12", "9"] })).toEqual(["SaveVideo", "SaveImage"]);
  const half = await runJob(build({}, { ...many, outputs: ["9", "13"] }));
  expect(half).toMatchObject({ state: "failed", started: "yes", error: { code: "invalid_output" } });
});

testSubmitFaults(() => ({ provider: comfyui, job: build(), double }), {
  // The nodes tell whether the input is wrong or the workflow.
  different: { "400": { cause: "account", retryable: true } },
});

test.each(["500 before", "500 after", "garbage"] as const)("a submit with %s is found if it arrived", async (fault) => {
  double.failNextSubmits(fault);
  const job = build();
  await comfyui.submit(job, buildIo());
  const found = fault === "500 before" ? "unknown" : { state: "pending", upstreamId: job.attemptId };
  expect(await comfyui.recover(job, buildIo())).toEqual(
    typeof found === "string" ? found : expect.objectContaining(found),
  );
  expect(double.accepted.length).toBeLessThanOrEqual(1);
});

test("a submit without a response is found, before and after its end", async () => {
  double.failNextSubmits("no response");
  const timer = new AbortController();
  const job = build();
  const result = comfyui.submit(job, buildIo({}, timer.signal));
  await expect.poll(() => double.accepted.length).toBe(1);
  timer.abort(new DOMException("The time is over.", "TimeoutError"));
  await expect(result).rejects.toThrow("The time is over.");
  expect(await comfyui.recover(job, buildIo())).toMatchObject({ state: "pending" });
  expect(await comfyui.recover(job, buildIo())).toMatchObject({ state: "pending" });
  expect(await comfyui.recover(job, buildIo())).toMatchObject({ state: "succeeded" });
  expect(double.accepted).toHaveLength(1);
});

test("an unreachable server leaves the job's state unknown", async () => {
  const job = buildWorkflowJob(buildProvider("comfyui", "http://127.0.0.1:9"), {});
  await expect(comfyui.recover(job, buildIo())).rejects.toThrow("cannot be reached");
  expect(await comfyui.check(job.route, buildIo())).toBe("The provider cannot be reached.");
});

test("a job that ends between two requests of a poll is found", async () => {
  const job = build();
  await comfyui.submit(job, buildIo());
  double.state.endsBetweenReads = true;
  expect(await comfyui.poll(job, job.attemptId, buildIo())).toMatchObject({ state: "succeeded" });
});

test("a job is lost after a restart of the server, and may be repeated", async () => {
  const job = build();
  await comfyui.submit(job, buildIo());
  double.restart();
  const lost = { state: "failed", started: "yes", cause: "outage", error: { code: "provider_error", retryable: true } };
  expect(await comfyui.poll(job, job.attemptId, buildIo())).toMatchObject(lost);
  expect(await comfyui.recover(job, buildIo())).toBe("unknown");
});

test("tells the places in the queue, however large it is", async () => {
  const many = withNodes(
    Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`n${n}`, { class_type: "LoadImage", inputs: { image: "example.png" } }]),
    ),
  );
  const jobs = Array.from({ length: 20 }, () => build({}, many));
  for (const job of jobs) await comfyui.submit(job, buildIo());
  // The first poll finds all of them pending; then the first one begins.
  for (const index of [19, 7]) {
    const state = await comfyui.poll(jobs[index]!, jobs[index]!.attemptId, buildIo());
    expect(state).toMatchObject({ state: "pending", queuePosition: index });
  }
});

test("an interrupted job has begun", async () => {
  const job = build();
  await comfyui.submit(job, buildIo());
  for (let polls = 0; polls < 2; polls += 1) await comfyui.poll(job, job.attemptId, buildIo());
  await comfyui.cancel(job, job.attemptId, buildIo());
  const message = "The job was interrupted at the provider.";
  expect(await comfyui.poll(job, job.attemptId, buildIo())).toMatchObject({ started: "yes", error: { message } });
});

test("a failed job says where it failed, and nothing of the server", async () => {
  const state = await runJob(build({ prompt: "[raise]" }));
  expect(state).toEqual({
    state: "failed",
    started: "yes",
    cause: "job",
    error: {
      code: "provider_error",
      message: "The workflow failed at KSampler (torch.OutOfMemoryError).",
      retryable: true,
    },
  });
});

test("stops its own work only, whether it is pending or running", async () => {
  const [running, pending, other] = [build(), build(), build()];
  for (const job of [running, pending, other]) await comfyui.submit(job, buildIo());
  for (let polls = 0; polls < 2; polls += 1) await comfyui.poll(running, running.attemptId, buildIo());
  const listIds = ({ running, pending }: typeof double.state) => [running, ...pending].map((item) => item?.[1]);
  expect(await comfyui.cancel(running, running.attemptId, buildIo())).toBe("asked");
  expect(listIds(double.state)).toEqual([undefined, pending.attemptId, other.attemptId]);
  expect(await comfyui.cancel(pending, pending.attemptId, buildIo())).toBe("stopped");
  expect(listIds(double.state).filter(Boolean)).toEqual([other.attemptId]);
});

const text = { "content-type": "text/html" };

test.each<[string, string, DoubleResponse]>([
  ["a redirect", "/history", { status: 302, headers: { location: "http://127.0.0.1:9/" } }],
  ["a proxy's page", "/history", { status: 200, headers: text, body: Buffer.from("<html>") }],
  ["an error", "/queue", { status: 502 }],
  ["another shape", "/queue", { status: 200, body: { queue_running: {} } }],
])("a poll that is answered by %s says nothing about the job", async (_, path, response) => {
  const { url, close } = await openOdd((request) => {
    if (request.url.pathname.startsWith(path)) return response;
    return { status: 200, body: {} };
  });
  const job = buildWorkflowJob(buildProvider("comfyui", url), {});
  await expect(comfyui.poll(job, job.attemptId, buildIo())).rejects.toBeInstanceOf(ApiError);
  await expect(comfyui.recover(job, buildIo())).rejects.toBeInstanceOf(ApiError);
  await close();
});

test.each<[string, DoubleResponse, string]>([
  ["is gone", { status: 404 }, "no longer has the output"],
  ["is at another address", { status: 302, headers: { location: "http://127.0.0.1:9/x.png" } }, "must not download"],
])("an output that %s fails the job", async (_, response, message) => {
  const status = { status_str: "success", completed: true, messages: [] };
  const outputs = { "9": { images: [{ filename: "a.png", subfolder: "hub", type: "output" }], animated: [true] } };
  const { url, close } = await openOdd(({ url: { pathname } }) =>
    pathname === "/view" ? response : { status: 200, body: { [pathname.slice(9)]: { outputs, status } } },
  );
  const job = buildWorkflowJob(buildProvider("comfyui", url), {});
  await expect(readOutputs(await comfyui.poll(job, job.attemptId, buildIo()))).rejects.toThrow(message);
  await close();
});

test("a result that cannot be read ends the job", async () => {
  const { url, close } = await openOdd(({ url: { pathname } }) => ({ status: 200, body: { [pathname.slice(9)]: [] } }));
  const job = buildWorkflowJob(buildProvider("comfyui", url), {});
  const state = { state: "failed", started: "yes", error: { code: "invalid_output" } };
  expect(await comfyui.poll(job, job.attemptId, buildIo())).toMatchObject(state);
  await close();
});

const openOdd = (respond: DoubleMaker["respond"]) =>
  openDouble({ isSubmit: () => false, respond, describeError: () => ({}) });
