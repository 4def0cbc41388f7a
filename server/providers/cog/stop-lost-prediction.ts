import { ApiError, callApi } from "../http/call-api";
import type { FailedJob, Job } from "../job";
import type { ProviderIo } from "../provider";
import { cogApi } from "./api";

/**
 * Stops the work of a submit whose response was lost, and with it the only way to its outputs. If the container knows the
 * work, it had begun; otherwise the work has ended, or never began, or another container has it, and nobody knows which.
 * Nothing else may be asked: the same `PUT` would run work that has ended again.
 */
export async function stopLostPrediction({ attemptId, route, deadlineAt }: Job, io: ProviderIo): Promise<FailedJob> {
  const url = `/predictions/${attemptId}/cancel`;
  const { status } = await callApi(cogApi, route.provider, io, { method: "POST", url });
  if (status !== 200 && status !== 404)
    throw new ApiError("unknown", `The model could not be asked (status ${status}).`);
  const isLate = io.now() >= deadlineAt;
  return {
    state: "failed",
    started: status === 200 ? "yes" : "unknown",
    cause: "outage",
    error: {
      code: isLate ? "timeout" : "provider_error",
      message: isLate ? "It took longer than its model allows." : "The connection to the model broke.",
      retryable: true,
    },
  };
}
