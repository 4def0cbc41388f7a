import type { ProviderSettings, Workflow } from "../../../server/catalogue/model";
import { comfyui } from "../../../server/providers/comfyui/comfyui";
import type { Job, JobState } from "../../../server/providers/job";
import { buildIo, buildJob, readOutput } from "../job";

/** A workflow that makes a picture from a text. */
export const workflow: Workflow = {
  nodes: {
    "3": {
      class_type: "KSampler",
      inputs: { seed: 1, width: 1024, height: 1024, positive: ["6", 0], sampler: "euler" },
      _meta: { title: "KSampler" },
    },
    "4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "flux.safetensors" } },
    "6": { class_type: "CLIPTextEncode", inputs: { text: "a house", clip: ["4", 1] } },
    "9": { class_type: "SaveImage", inputs: { filename_prefix: "ComfyUI", images: ["3", 0] } },
  },
  bind: { prompt: ["6", "text"], seed: ["3", "seed"], width: ["3", "width"] },
  outputs: null,
};

/** Returns that workflow with other nodes, and more nodes. */
export const withNodes = (nodes: Workflow["nodes"], changes: Partial<Workflow> = {}): Workflow => ({
  ...workflow,
  nodes: { ...workflow.nodes, ...nodes },
  ...changes,
});

/** Returns a job with a prompt for a workflow. */
export function buildWorkflowJob(provider: ProviderSettings, input: Record<string, unknown>, used = workflow): Job {
  const job = buildJob(provider, "", { prompt: "a tree", ...input });
  return { ...job, route: { ...job.route, workflow: used } };
}

/** Submits a job and polls it until it has ended, at most ten times. */
export async function runJob(job: Job): Promise<JobState> {
  let state: JobState = await comfyui.submit(job, buildIo());
  for (let polls = 0; state.state === "pending" && polls < 10; polls += 1)
    state = await comfyui.poll(job, state.upstreamId, buildIo());
  return state;
}

/** Returns the texts at the end of a success's files. */
export async function readOutputs(state: JobState): Promise<string[]> {
  if (state.state !== "succeeded") throw new Error(JSON.stringify(state));
  return Promise.all(
    state.outputs.map(async (output) => {
      const text = String(await readOutput(output));
      return text.slice(text.indexOf("work\0"));
    }),
  );
}
