import type { Model, Route } from "../../../catalogue/model";
import { isDatabaseUnavailable, isStorageUnavailable } from "../../../lib/is-unavailable";
import { InputUnavailable } from "../../../providers/input-unavailable";
import type { Job, JobState } from "../../../providers/job";
import type { CancelReply, Provider, ProviderIo } from "../../../providers/provider";
import { ApiError } from "../../../providers/http/call-api";
import { describeSubmitError } from "../../../providers/http/describe-rejection";
import { ProviderError } from "../../../providers/provider-error";
import { annotateAnswer, classifyAttempt, runInProviderSpan } from "../../metrics";
import { resolveCharacter } from "../../references";
import { readInput } from "../../input-files";
import { describeContent } from "../../content";
import { chooseUpstreamModel, toUpstreamInput } from "../../routing";
import type { AttemptRow } from "../attempts";
import type { Generation } from "../row";
import { callbackUrlFor } from "./callback-url";
import type { RunHub } from "./hub";
import type { AttemptContext } from "./next-action";
import { createInlineOutputs, type InlineOutputs } from "./inline-outputs";
import { prepareInputs } from "./prepare-inputs";

/** A request to a provider: `submit` a new attempt, `recover` one whose upstream id was not stored, or `poll` one. */
export interface ProviderRequest {
  kind: "submit" | "recover" | "poll";
  attempt: AttemptRow;
  route: Route;
  inlineOutputs: InlineOutputs;
}

/** A request about a job. */
type JobRequest = Omit<ProviderRequest, "kind"> & { kind: ProviderRequest["kind"] | "cancel" };

/** Returns the provider of a route. */
export const getProvider = (hub: RunHub, route: Route): Provider => hub.providers[route.provider.kind]!;

/**
 * Sends a request about an attempt to its provider. Returns a failed state when an input cannot be prepared, and
 * `unknown` when the provider cannot find the job. Throws the signal's reason, ApiError when the provider's state
 * cannot be read for now, and when the storage is unavailable.
 */
export function askProvider(
  hub: RunHub,
  generation: Generation,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<JobState | "never-arrived" | "unknown"> {
  return runInProviderSpan(hub, request.kind, request.route, async () => {
    const state = await sendRequest(hub, generation, request, signal);
    if (typeof state !== "string" && state.state === "failed") {
      const { upstreamStatus } = state;
      annotateAnswer(hub, { upstreamStatus, errorType: classifyAttempt({ ...state, code: state.error.code }) });
    }
    return state;
  });
}

async function sendRequest(
  hub: RunHub,
  generation: Generation,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<JobState | "never-arrived" | "unknown"> {
  const { kind, attempt, route } = request;
  const provider = getProvider(hub, route);
  const io = buildIo(hub, generation, request, signal);
  const job = await buildJob(hub, generation, request, io).catch(toInputFailure);
  if ("state" in job) return job;
  const ask = async () => {
    if (kind === "submit") return provider.submit!(job, io);
    return kind === "poll"
      ? provider.poll!(job, attempt.upstream_id!, io)
      : (provider.recover?.(job, io) ?? ("unknown" as const));
  };
  return ask().catch(toFinalState);
}

/**
 * Asks the provider of an attempt to stop its job. Throws the signal's reason, and ApiError when the provider neither
 * accepts nor refuses.
 */
export async function askToCancel(
  hub: RunHub,
  { generation, attempt, route }: Pick<AttemptContext, "generation" | "attempt" | "route">,
  signal: AbortSignal,
): Promise<CancelReply> {
  const inlineOutputs = createInlineOutputs(hub);
  const request: JobRequest = { kind: "cancel", attempt, route, inlineOutputs };
  try {
    return await runInProviderSpan(hub, "cancel", route, async () => {
      const io = buildIo(hub, generation, request, signal);
      const job = await buildJob(hub, generation, request, io);
      return getProvider(hub, route).cancel!(job, attempt.upstream_id ?? attempt.id, io);
    });
  } finally {
    inlineOutputs.release();
  }
}

/** Returns the state of work that cannot be used, or whose input could not be read. Throws any other error. */
function toFinalState(error: unknown): JobState {
  if (error instanceof InputUnavailable) return toInputFailure(error);
  if (!(error instanceof ProviderError)) throw error;
  return { state: "failed", started: "yes", cause: "job", error: error.failure };
}

function buildIo(hub: RunHub, generation: Generation, request: JobRequest, signal: AbortSignal): ProviderIo {
  const { kind } = request;
  const read = (url: string) => prepare(kind, signal, () => readInput(hub, generation.account_id, url, { signal }));
  return {
    fetch: hub.fetch,
    json: hub.json,
    read,
    readFile: async (url) => describeContent(await read(url)),
    reserveMemory: (bytes, limit) => request.inlineOutputs.reserve(request.route.provider.id, bytes, limit),
    now: hub.now,
    signal,
    ...(hub.tracing && { traceHeaders: hub.tracing.headers() }),
  };
}

async function buildJob(
  hub: RunHub,
  generation: Generation,
  { kind, attempt, route }: JobRequest,
  io: ProviderIo,
): Promise<Job> {
  const model = hub.catalogue.get(generation.model)!;
  const { input } = generation;
  return {
    id: generation.id,
    attemptId: attempt.id,
    attempt: attempt.n,
    openedAt: attempt.started_at,
    deadlineAt: generation.deadline_at!,
    input: toUpstreamInput(route, await prepareInput(hub, generation, { model, kind, route, io })),
    upstreamModel: chooseUpstreamModel(route, input),
    modalities: { input: model.inputModalities, output: model.outputModalities },
    route,
    callbackUrl: callbackUrlFor(hub, route, attempt.id),
  };
}

/** Returns the input for the provider. Only a submit needs its files. */
async function prepareInput(
  hub: RunHub,
  generation: Generation,
  { model, kind, route, io }: { model: Model; kind: JobRequest["kind"]; route: Route; io: ProviderIo },
): Promise<Record<string, unknown>> {
  const provider = getProvider(hub, route);
  return prepare(kind, io.signal, async () => {
    const input = await resolveCharacter(hub, generation);
    if (kind !== "submit") return input;
    return prepareInputs(hub, { generation, model, provider, route, io }, input);
  });
}

/**
 * Does work that precedes a submit. Throws InputUnavailable if the time for the submit is up by then, or the storage or the
 * database is unavailable: nothing was sent.
 */
async function prepare<T>(kind: JobRequest["kind"], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } catch (error) {
    if (kind !== "submit") throw error;
    if (signal.aborted && (signal.reason as Error).name === "TimeoutError")
      throw new InputUnavailable("The input files were not ready in time.", true);
    if (isStorageUnavailable(error) || isDatabaseUnavailable(error))
      throw new InputUnavailable("The input files could not be read for now.", true);
    throw error;
  }
}

/** Returns the state of a job whose inputs cannot be prepared, so that it is not submitted. Throws any other error. */
function toInputFailure(error: unknown): JobState {
  // The upload of a file to the provider failed.
  if (error instanceof ApiError) return describeSubmitError(new ApiError("no", error.message));
  if (!(error instanceof InputUnavailable)) throw error;
  const { message, retryable } = error;
  return {
    state: "failed",
    started: "no",
    cause: "job",
    error: { code: "input_unavailable", message, retryable },
  };
}
