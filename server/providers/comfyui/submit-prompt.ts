import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Workflow } from "../../catalogue/model";
import { ApiError, type ApiResponse } from "../http/call-api";
import { describeRejection, sendSubmit, unreadableResponse } from "../http/describe-rejection";
import { pollDelaySeconds } from "../http/poll-delay";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { comfyuiApi, HUB_FOLDER } from "./api";
import { cancelPrompt } from "./find-prompt";

/** Puts the route's workflow with the job's parameters into the server's queue, under the attempt's id. */
export async function submitPrompt(job: Job, io: ProviderIo): Promise<JobState> {
  const { attemptId, route, input } = job;
  // The catalogue has checked that the route has a workflow.
  const built = buildGraph(route.workflow!, input, attemptId);
  if ("issue" in built) {
    const rejected = describeRejection({ status: 400, headers: {} }, route.provider, built.issue);
    return { ...rejected, upstreamStatus: undefined };
  }
  // Without a client_id, nodes that need not run again would report no outputs.
  const json = { prompt: built.graph, prompt_id: attemptId, client_id: attemptId };
  return sendSubmit(comfyuiApi, job, io, { url: "/prompt", json }, (response) => {
    if (response.status === 200) return readAccepted(job, io, response);
    return response.status === 400
      ? describeInvalidPrompt(job, response.body)
      : describeRejection(response, route.provider);
  });
}

/** What is wrong with a graph, by the node. */
const NodeErrors = z.record(
  z.string(),
  z.object({
    errors: z.array(
      z.object({
        message: z.string(),
        extra_info: z.object({ input_name: z.string().optional() }).optional().catch(undefined),
      }),
    ),
  }),
);

const Accepted = z.object({ prompt_id: z.string().regex(/^[\w-]{1,100}$/), node_errors: NodeErrors });

async function readAccepted(job: Job, io: ProviderIo, { status, body }: ApiResponse): Promise<JobState> {
  const { data } = Accepted.safeParse(body);
  if (!data) return unreadableResponse(status);
  const { prompt_id: upstreamId, node_errors } = data;
  if (Object.keys(node_errors).length > 0) return rejectPartlyValid(job, io, data);
  return { state: "pending", upstreamId, progress: null, pollAfterSeconds: pollDelaySeconds(job, io) };
}

/** Stops a prompt of which only some outputs are valid: the server would make only those. */
async function rejectPartlyValid(job: Job, io: ProviderIo, accepted: z.output<typeof Accepted>): Promise<FailedJob> {
  await cancelPrompt(job, accepted.prompt_id, io).catch((error: unknown) => {
    // It then runs for nobody, which changes nothing of the result.
    if (!(error instanceof ApiError)) throw error;
  });
  const { error, ...state } = describeInvalidPrompt(job, accepted);
  return { ...state, started: "yes", upstreamStatus: 200, error: { ...error, retryable: false } };
}

const SEED = /^(noise_)?seed$/;
const MAX_SEED = 2 ** 48 - 1;

/**
 * Returns a workflow's graph with the parameters of a job in their places; inputs of omitted ones stay as they are in the
 * workflow. The names of saved files begin with the attempt's id, and bound seeds that are omitted are random: ComfyUI skips
 * nodes that have already run with the same inputs, and reports the files of that earlier run. Returns an issue for a value that
 * must not become an input of a node.
 */
function buildGraph(
  { nodes, bind }: Workflow,
  input: Record<string, unknown>,
  attemptId: string,
): { graph: Workflow["nodes"] } | { issue: string } {
  const graph = structuredClone(nodes);
  for (const [name, [node, place]] of Object.entries(bind)) {
    const value = readParameter(input, name) ?? (SEED.test(place) ? randomInt(MAX_SEED) : undefined);
    if (value === undefined) continue;
    // A list would be a connection to another node.
    if (typeof value === "object") return { issue: `${name} must be a single value` };
    graph[node]!.inputs[place] = value;
  }
  for (const { inputs } of Object.values(graph)) {
    if (typeof inputs.filename_prefix === "string") inputs.filename_prefix = `${HUB_FOLDER}/${attemptId}`;
  }
  return { graph };
}

/** Returns the value of a parameter, or of an item of a list for a name such as `image_input.0`. */
function readParameter(input: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(input, name)) return input[name];
  const [, list = "", index] = /^(.+)\.(\d+)$/.exec(name) ?? [];
  const items = Object.hasOwn(input, list) ? input[list] : undefined;
  return Array.isArray(items) ? (items as unknown[])[Number(index)] : undefined;
}

const Invalid = z.object({ node_errors: NodeErrors });

/**
 * Returns the failure of a prompt that the server found invalid. It is about the job's input if a parameter is bound to the
 * place of an error, otherwise about the route: its workflow, or what the server has installed.
 */
function describeInvalidPrompt({ route }: Job, body: unknown): FailedJob {
  const reason = findReason(route.workflow!, Invalid.safeParse(body).data?.node_errors ?? {});
  if (reason !== null) return describeRejection({ status: 400, headers: {} }, route.provider, reason);
  return {
    state: "failed",
    started: "no",
    cause: "account",
    upstreamStatus: 400,
    error: { code: "provider_refused", message: "The provider cannot run the hub's workflow.", retryable: true },
  };
}

/** Returns what is wrong with a parameter; null if no error is at the place of one. */
function findReason({ bind }: Workflow, nodeErrors: z.output<typeof NodeErrors>): string | null {
  for (const [name, [node, place]] of Object.entries(bind)) {
    const errors = Object.hasOwn(nodeErrors, node) ? nodeErrors[node]!.errors : [];
    const found = errors.find(({ extra_info }) => extra_info?.input_name === place);
    if (found) return `${name}: ${found.message}`;
  }
  return null;
}
