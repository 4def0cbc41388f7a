import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { ApiError, callApi } from "../http/call-api";
import { describeCheckError } from "../http/check-access";
import { isCancelRefused } from "../http/describe-rejection";
import type { FailedJob, Job } from "../job";
import type { CancelReply, Provider, ProviderIo } from "../provider";
import { cogApi, MAX_PREDICTION_MS, submitPrediction } from "./submit-prediction";

/**
 * A model in a container of cog, which answers when its work is done. Its outputs are only in that answer: there is
 * nothing to poll, and its webhooks carry the output instead of announcing it, so they are not used.
 */
export const cog = {
  // A container often cannot reach the hub under the address that customers use.
  inputModes: ["inline", "link"],
  retryStarted: 2,
  submitTimeoutMs: MAX_PREDICTION_MS,
  submit: submitPrediction,
  recover: stopLostPrediction,
  cancel: cancelPrediction,
  cancelsSubmits: true,
  check: checkModel,
} satisfies Provider;

const Health = z.object({ status: z.string().max(40) });
const Description = z.object({
  components: z.object({ schemas: z.object({ Input: z.object({ properties: z.record(z.string(), z.unknown()) }) }) }),
});

/** Returns why a container cannot serve a route: it is not ready, or its model lacks an input that the route names. */
async function checkModel(route: Route, io: ProviderIo): Promise<string | null> {
  try {
    const health = await callApi(cogApi, route.provider, io, { url: "/health-check" });
    const { data } = Health.safeParse(health.body);
    if (health.status !== 200 || !data) return `The server does not speak cog's protocol (status ${health.status}).`;
    if (data.status !== "READY" && data.status !== "BUSY") return `The model is not ready: ${data.status}.`;
    const { body } = await callApi(cogApi, route.provider, io, { url: "/openapi.json" });
    return findUnknownInput(route, Description.safeParse(body).data?.components.schemas.Input.properties);
  } catch (error) {
    return describeCheckError(error);
  }
}

/** Returns what is wrong with the names of a route. cog silently drops inputs that its model does not have. */
function findUnknownInput({ rename, set }: Route, inputs: Record<string, unknown> | undefined): string | null {
  const named = [...Object.values(rename), ...Object.keys(set)];
  const unknown = inputs && named.find((name) => !Object.hasOwn(inputs, name));
  return unknown === undefined ? null : `The model has no input "${unknown}".`;
}

/**
 * Stops the work of a submit whose response, the only way to its outputs, was lost. If the container knows the work, it
 * had begun; otherwise the work has ended, or never began, or another container has it, and nobody knows which. Nothing
 * else may be asked: the same `PUT` would run work again that has ended.
 */
async function stopLostPrediction({ attemptId, route, deadlineAt }: Job, io: ProviderIo): Promise<FailedJob> {
  const { status } = await postCancel(route, attemptId, io);
  if (status !== 200 && status !== 404)
    throw new ApiError("unknown", `The model could not be asked (status ${status}).`);
  const isLate = io.now() >= deadlineAt;
  return {
    state: "failed",
    started: status === 200 ? "yes" : "unknown",
    cause: "outage",
    error: {
      code: isLate ? "timeout" : "provider_error",
      message: isLate ? "The generation exceeded its model's time limit." : "The connection to the model broke.",
      retryable: true,
    },
    ...(status === 200 && { stopped: "free" }),
  };
}

/** Stops the work of a submit that has not returned, whose response then says so. */
async function cancelPrediction({ route, attemptId }: Job, _: string, io: ProviderIo): Promise<CancelReply> {
  const response = await postCancel(route, attemptId, io);
  // The submit has not arrived yet, or has ended.
  if (response.status === 404) return "asked";
  if (response.status !== 200 && !isCancelRefused(response))
    throw new ApiError("unknown", `The model could not be asked (status ${response.status}).`);
  return response.status === 200 ? "asked" : "refused";
}

const postCancel = (route: Route, attemptId: string, io: ProviderIo) =>
  callApi(cogApi, route.provider, io, { method: "POST", url: `/predictions/${attemptId}/cancel` });
