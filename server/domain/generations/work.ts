import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { Failure, JobState, Provider } from "../../providers/provider";
import { bringCharacter } from "../characters/bring-character";
import { linkInput } from "../files/link-input";
import { readInput } from "../files/read-input";
import { storeOutput } from "../files/store-output";
import { express } from "../routing/express";
import { type AttemptEnd, type AttemptRow, closeAttempt, findAttempts, noteProgress, openAttempt } from "./attempts";
import { type Generation, generationSql } from "./generation";
import { pickRoute } from "./pick-route";

/** What the run does next. */
export type Step =
  | { next: "ask-again"; seconds: number; callsBack: boolean }
  | { next: "attempt"; pauseSeconds: number }
  | { next: "succeed"; outputs: number; attempt: AttemptEnd }
  | { next: "fail"; error: Failure; attempt: AttemptEnd }
  /** Ended meanwhile by somebody else. */
  | { next: "stop" };

const TRIES = 3;
const PAUSE_SECONDS = [1, 5];
const timeout: Failure = { code: "timeout", message: "It took longer than its model allows.", retryable: true };
const tooLarge: Failure = { code: "invalid_output", message: "An output is larger than 1 GiB.", retryable: false };
const unroutable: Failure = { code: "provider_refused", message: "No provider could take the work.", retryable: true };

/**
 * Works on attempt `n` of a running generation: submits it to a provider, or asks for a job submitted before.
 * A crash may repeat it at any point: what is known already is not done again.
 */
export async function work(hub: Hub, id: string, n: number): Promise<Step> {
  const [generation] = await hub.db.query<Generation>(`SELECT ${generationSql} FROM generation g WHERE g.id = $1`, [
    id,
  ]);
  if (generation?.status !== "running") return { next: "stop" };
  const attempts = await findAttempts(hub, id);
  const known = attempts.find((attempt) => attempt.n === n);
  if (known?.outcome) return { next: "attempt", pauseSeconds: 0 };

  const untilDeadlineMs = generation.deadline_at!.getTime() - hub.now().getTime();
  // After the clock went back, the deadline lies farther ahead until the sweep has pulled it back.
  const leftMs = Math.min(untilDeadlineMs, generation.timeout_seconds * 1000);
  if (leftMs <= 0) return { next: "fail", error: timeout, attempt: { outcome: "failed" } };
  const route = pickRoute(hub, generation, attempts, n);
  if (!route) return { next: "fail", error: unroutable, attempt: { outcome: "refused" } };
  if (!known) await openAttempt(hub, id, n, { id: route.id, kind: route.provider.kind });

  const state = await ask(hub, generation, { n, route, upstreamId: known?.upstream_id ?? null, leftMs });
  if (state.state === "succeeded") return keep(hub, generation, state);
  if (state.state === "failed") return decide(hub, generation, attempts, { n, route }, state);
  await noteProgress(hub, id, n, state.upstreamId, state.progress);
  return {
    next: "ask-again",
    seconds: state.askAgainSeconds,
    callsBack: providerOf(hub, route).callback !== undefined,
  };
}

const providerOf = (hub: Hub, route: Route): Provider => hub.providers[route.provider.kind]!;

async function ask(
  hub: Hub,
  generation: Generation,
  asked: { n: number; route: Route; upstreamId: string | null; leftMs: number },
): Promise<JobState> {
  const { n, route, upstreamId, leftMs } = asked;
  const { id, account_id, deadline_at } = generation;
  const signal = AbortSignal.timeout(leftMs);
  const input = await bringCharacter(hub, generation).catch(unavailable);
  if (input instanceof InputUnavailable) return failed(input);
  const job = { id, attempt: n, input: express(route, input), route };
  const io = {
    fetch: hub.fetch,
    read: (url: string) => readInput(hub, account_id, url, { signal }),
    link: (url: string) => linkInput(hub, account_id, url, deadline_at!),
    now: hub.now,
    signal,
  };
  const provider = providerOf(hub, route);
  return upstreamId === null ? provider.submit!(job, io) : provider.poll!(job, upstreamId, io);
}

function unavailable(error: unknown): InputUnavailable {
  if (error instanceof InputUnavailable) return error;
  throw error;
}

const failed = ({ message, retryable }: InputUnavailable): JobState => ({
  ...{ state: "failed", started: true },
  error: { code: "input_unavailable", message, retryable },
});

async function keep(
  hub: Hub,
  { id, account_id }: Generation,
  state: Extract<JobState, { state: "succeeded" }>,
): Promise<Step> {
  const attempt: AttemptEnd = {
    outcome: "succeeded",
    upstreamStatus: state.upstreamStatus,
    cost: state.cost?.toString(),
  };
  try {
    for (const [index, output] of state.outputs.entries()) {
      await storeOutput(hub, { generationId: id, accountId: account_id, index }, output);
    }
  } catch (error) {
    if (!isAppError(error) || error.code !== "payload_too_large") throw error;
    return { next: "fail", error: tooLarge, attempt: { ...attempt, outcome: "failed" } };
  }
  return { next: "succeed", outputs: state.outputs.length, attempt };
}

async function decide(
  hub: Hub,
  generation: Generation,
  attempts: AttemptRow[],
  { n, route }: { n: number; route: Route },
  { error, started, upstreamStatus }: Extract<JobState, { state: "failed" }>,
): Promise<Step> {
  const attempt: AttemptEnd = { outcome: started ? "failed" : "refused", upstreamStatus };
  const after = [
    ...attempts.filter((earlier) => earlier.n !== n),
    { n, route: route.id, outcome: attempt.outcome, upstream_id: null },
  ];
  const failures = after.filter(({ outcome }) => outcome === "failed").length;
  const again = started ? error.retryable && failures < TRIES : pickRoute(hub, generation, after, n + 1) !== undefined;
  if (!again) return { next: "fail", error, attempt };
  await closeAttempt(hub, generation.id, n, attempt);
  return { next: "attempt", pauseSeconds: started ? PAUSE_SECONDS[failures - 1]! : 0 };
}
