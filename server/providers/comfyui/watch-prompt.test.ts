import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openComfyuiDouble } from "../../../test/providers/comfyui/double";
import { buildWorkflowJob, withNodes } from "../../../test/providers/comfyui/job";
import { frame, previewFrame, textFrame } from "../../../test/providers/comfyui/web-socket";
import { buildIo, buildProvider } from "../../../test/providers/job";
import type { ProviderSettings } from "../../catalogue/model";
import { comfyui } from "./comfyui";
import { readFrames } from "./read-frames";

let double: Awaited<ReturnType<typeof openComfyuiDouble>>;
let provider: ProviderSettings;
beforeAll(async () => {
  double = await openComfyuiDouble();
  provider = buildProvider("comfyui", double.url);
});
afterAll(() => double.close());
beforeEach(() => double.restart());

const inputs = { seed: 1, width: 1024, height: 1024, positive: ["6", 0], sampler: "euler", steps: 20 };
const counted = withNodes({ "3": { class_type: "KSampler", inputs } });

/** Returns the state of a prompt that runs while the server sends these messages. */
async function watch(listMessages: (promptId: string) => Buffer[], used = counted) {
  const job = buildWorkflowJob(provider, {}, used);
  double.state.messages = listMessages(job.attemptId);
  await comfyui.submit(job, buildIo());
  await comfyui.poll(job, job.attemptId, buildIo());
  return comfyui.poll(job, job.attemptId, buildIo());
}

const step = (prompt_id: string, value: number, node = "3") =>
  textFrame("progress", { prompt_id, node, value, max: 20 });

test("tells the steps and the preview of a prompt that runs", async () => {
  const picture = Buffer.alloc(70_000, 7);
  const state = await watch((id) => [
    textFrame("status", { sid: id }),
    frame(0x89, Buffer.from("ping")),
    step("another", 19),
    step(id, 1, "8"),
    step(id, 8),
    previewFrame(picture),
  ]);
  expect(state).toMatchObject({ state: "pending", progress: 0.4, preview: picture });
  expect(state).not.toHaveProperty("queuePosition");
});

test("reads a preview behind its metadata", async () => {
  const bytes = [Buffer.from([0, 0, 0, 4, 0, 0, 0, 2]), Buffer.from("{}"), Buffer.from("picture")];
  const state = await watch((id) => [step(id, 20), frame(0x82, Buffer.concat(bytes))]);
  expect(state).toMatchObject({ progress: 1, preview: Buffer.from("picture") });
});

test("listens no longer once the prompt has ended, and tells no progress of several samplers", async () => {
  const two = withNodes({ ...counted.nodes, "5": counted.nodes["3"]! });
  const state = await watch((id) => [step(id, 8), textFrame("execution_success", { prompt_id: id })], two);
  expect(state).toMatchObject({ state: "pending", progress: null });
});

test.each<[string, Buffer[]]>([
  ["nothing", []],
  ["text that is not JSON", [frame(0x81, Buffer.from("{"))]],
  ["a message of gigabytes", [Buffer.from([0x82, 127, 0, 0, 0, 9, 0, 0, 0, 0])]],
  ["a masked message", [Buffer.from([0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9])]],
  ["a compressed message", [frame(0xc1, Buffer.from("x"))]],
  ["a closing message", [frame(0x88, Buffer.alloc(0))]],
  ["a preview of no bytes", [previewFrame(Buffer.alloc(0)), frame(0x88, Buffer.alloc(0))]],
])("a server that sends %s changes nothing", async (_, messages) => {
  const state = await watch(() => messages);
  expect(state).toMatchObject({ state: "pending", progress: null });
  expect(state).not.toHaveProperty("preview");
});

test("reads messages that arrive in pieces", async () => {
  const bytes = Buffer.concat([textFrame("a", {}), frame(0x82, Buffer.alloc(70_000, 1)), textFrame("b", {})]);
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
  };
  const sizes: number[] = [];
  for await (const { payload } of readFrames(pieces())) sizes.push(payload.length);
  expect(sizes).toEqual([22, 70_000, 22]);
});
