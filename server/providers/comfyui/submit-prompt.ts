import { z } from "zod";
import { ApiError, type ApiResponse, callApi } from "../http/call-api";
import { describeRejection, describeSubmitError, unreadableResponse } from "../http/describe-rejection";
import { pollDelaySeconds } from "../http/poll-delay";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { comfyuiApi } from "./api";
import { buildGraph } from "./build-graph";
import { cancelPrompt } from "./cancel-prompt";
import { describeInvalidPrompt, NodeErrors } from "./describe-invalid-prompt";

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
  let response: ApiResponse;
  try {
    response = await callApi(comfyuiApi, route.provider, io, { method: "POST", url: "/prompt", json });
  } catch (error) {
    return describeSubmitError(error);
  }
  if (response.status === 200) return readAccepted(job, io, response);
  return response.status === 400
    ? describeInvalidPrompt(job, response.body)
    : describeRejection(response, route.provider);
}

const Accepted = z.object({ prompt_id: z.string().regex(/^[\w-]{1,100}$/), node_errors: NodeErrors });

async function readAccepted(job: Job, io: ProviderIo, { status, body }: ApiResponse): Promise<JobState> {
  const { data } = Accepted.safeParse(body);
  if (!data) return unreadableResponse(status);
  const { prompt_id: upstreamId, node_errors } = data;
  if (Object.keys(node_errors).length > 0) return rejectPartlyValid(job, io, data);
  return { state: "pending", upstreamId, progress: null, pollAfterSeconds: pollDelaySeconds(job, io) };
}

/** Stops a prompt of which only some outputs are valid: the server would make those alone. */
async function rejectPartlyValid(job: Job, io: ProviderIo, accepted: z.output<typeof Accepted>): Promise<FailedJob> {
  await cancelPrompt(job.route.provider, accepted.prompt_id, io).catch((error: unknown) => {
    // It then runs for nobody, which changes nothing of the result.
    if (!(error instanceof ApiError)) throw error;
  });
  const { error, ...state } = describeInvalidPrompt(job, accepted);
  return { ...state, started: "yes", upstreamStatus: 200, error: { ...error, retryable: false } };
}
