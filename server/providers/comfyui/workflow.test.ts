import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openComfyuiDouble } from "../../../test/providers/comfyui/double";
import { buildWorkflowJob, readOutputs, runJob, withNodes, workflow } from "../../../test/providers/comfyui/job";
import { openDouble } from "../../../test/providers/double";
import { buildIo, buildProvider } from "../../../test/providers/job";
import type { ProviderSettings, Workflow } from "../../catalogue/model";
import { InputUnavailable } from "../input-unavailable";
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
  double.requests.length = double.accepted.length = 0;
});

const submit = (input: Record<string, unknown>, used?: Workflow) =>
  comfyui.submit(buildWorkflowJob(provider, input, used), buildIo());

const withPictures = withNodes(
  {
    "20": { class_type: "LoadImage", inputs: { image: "example.png" } },
    "21": { class_type: "SaveImage", inputs: { filename_prefix: "x", images: ["20", 0] } },
  },
  { bind: { ...workflow.bind, "image_input.0": ["20", "image"] } },
);

test("tells which parameter the server rejects", async () => {
  expect(await submit({ width: 0 })).toEqual({
    state: "failed",
    started: "no",
    cause: "job",
    upstreamStatus: 400,
    error: {
      code: "provider_refused",
      message: "The provider rejected the input: width: Value 0 smaller than min of 1.",
      retryable: false,
    },
  });
  expect(double.state.pending).toEqual([]);
});

test.each([
  ["a model that is not installed", { "4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "no" } } }],
  ["a class that is not installed", { "4": { class_type: "UNETLoaderGGUF", inputs: {} } }],
])("a workflow with %s is the route's failure", async (_, nodes) => {
  const failed = { started: "no", cause: "account", error: { message: "The provider cannot run the hub's workflow." } };
  expect(await submit({}, withNodes(nodes))).toMatchObject(failed);
});

test("a workflow of which only some outputs are valid does not run", async () => {
  const state = await submit({ image_input: ["hub/gone.png"] }, withPictures);
  expect(state).toMatchObject({
    state: "failed",
    started: "yes",
    cause: "job",
    upstreamStatus: 200,
    error: { message: expect.stringContaining("image_input.0: Custom validation failed") as string, retryable: false },
  });
  expect([double.state.running, double.state.pending]).toEqual([null, []]);
});

test("takes no list as the value of an input, which would connect it to another node", async () => {
  const reason = "The provider rejected the input: prompt must be a single value.";
  const failed = { started: "no", cause: "job", error: { message: reason, retryable: false } };
  expect(await submit({ prompt: ["4", 0] })).toMatchObject(failed);
  expect(await submit({ prompt: { text: "a tree" } })).toMatchObject(failed);
  expect(double.requests).toEqual([]);
});

const PICTURE = { content: Buffer.from("a picture"), mediaType: "image/png", name: "input.png" };

test("uploads a file under the hash of its content, and uses it", async () => {
  const { route } = buildWorkflowJob(provider, {});
  const hash = createHash("sha256").update(PICTURE.content).digest("hex");
  const name = await comfyui.upload(PICTURE, route, buildIo());
  expect(name).toBe(`hub/${hash}.png`);
  expect(await comfyui.upload(PICTURE, route, buildIo())).toBe(name);
  expect(double.state.files.get(`input/${name}`)).toEqual(PICTURE.content);
  const job = buildWorkflowJob(provider, { image_input: [name] }, withPictures);
  expect(await readOutputs(await runJob(job))).toContainEqual(expect.stringContaining(name));
});

test("a list item that is omitted leaves the workflow's own input", async () => {
  const job = buildWorkflowJob(provider, { image_input: [] }, withPictures);
  expect(await readOutputs(await runJob(job))).toContainEqual(expect.stringContaining('"example.png"'));
});

test.each([
  [500, undefined],
  [200, { name: "../x.png", subfolder: "other", type: "input" }],
])("an upload that the server answers with %i and %j was not stored", async (status, body) => {
  const odd = await openDouble({ isSubmit: () => false, respond: () => ({ status, body }), describeError: () => ({}) });
  const { route } = buildWorkflowJob(buildProvider("comfyui", odd.url), {});
  const message = `The provider did not store an input file (status ${status}).`;
  await expect(comfyui.upload(PICTURE, route, buildIo())).rejects.toMatchObject({ started: "no", message });
  await odd.close();
});

test("a file that is too large for the server is the job's failure", async () => {
  const respond = () => ({ status: 413 });
  const odd = await openDouble({ isSubmit: () => false, respond, describeError: () => ({}) });
  const { route } = buildWorkflowJob(buildProvider("comfyui", odd.url), {});
  await expect(comfyui.upload(PICTURE, route, buildIo())).rejects.toBeInstanceOf(InputUnavailable);
  await odd.close();
});

test.each([
  ["nothing", workflow, null],
  ["nothing for a value that is bound", withPictures, null],
  ["an unknown class", withNodes({ "4": { class_type: "UNETLoaderGGUF", inputs: {} } }), "UNETLoaderGGUF is unknown."],
  [
    "a missing model",
    withNodes({ "4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "sdxl.safetensors" } } }),
    'CheckpointLoaderSimple has no ckpt_name "sdxl.safetensors".',
  ],
  [
    "a value of a newer class",
    withNodes({ "3": { class_type: "KSampler", inputs: { sampler: "lcm" } } }),
    'KSampler has no sampler "lcm".',
  ],
])("the check finds %s", async (_, used, issue) => {
  const { route } = buildWorkflowJob(provider, {}, used);
  expect(await comfyui.check(route, buildIo())).toBe(issue);
  expect(double.accepted).toEqual([]);
});

test("the check tells that a server is not ComfyUI, or rejects the key", async () => {
  const { route } = buildWorkflowJob({ ...provider, apiKey: "wrong" }, {});
  expect(await comfyui.check(route, buildIo())).toBe("The server does not speak ComfyUI's protocol (status 401).");
});
