import { setTimeout as delay } from "node:timers/promises";
import type { Route } from "../../../catalogue/model";
import { timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { withTimeout } from "../../../lib/with-timeout";
import type { FailedJob } from "../../../providers/job";
import type { CancelReply } from "../../../providers/provider";
import { findCancelState } from "../attempts";
import { isCancelOpenSql } from "../attempts/sql";
import { askToCancel, getProvider } from "./ask-provider";
import { canCallBack } from "./callback-url";
import type { RunHub } from "./hub";
import { type AttemptContext, attemptCost, type EndingAction } from "./next-action";

/** How long a provider may take to respond to a request to stop a job. */
const MAX_CANCEL_MS = 15_000;
/** How often a submit that its provider can stop checks whether the customer has canceled. */
const CHECK_INTERVAL_MS = 1_000;

/** Returns whether an event may end the pause between two polls: the provider's callback, or the customer's cancellation. */
export const canHasten = (hub: RunHub, route: Route): boolean =>
  canCallBack(hub, route) || getProvider(hub, route).cancel !== undefined;

/**
 * Asks the provider to stop a job whose customer has canceled; each step repeats the request until the provider responds.
 * Returns the generation's end if the job is gone; otherwise the next poll tells what becomes of it.
 */
export async function cancelIfRequested(hub: RunHub, context: AttemptContext): Promise<EndingAction | undefined> {
  const { generation, attempt, leftMs } = context;
  const isOpen = generation.cancel_requested_at !== null && generation.cancel_refused_at === null;
  if (!isOpen || leftMs <= 0 || attempt.delivered_at !== null) return undefined;
  if (getProvider(hub, context.route).cancel && attempt.upstream_id === null) return undefined;
  return (await askAndRecord(hub, context)) === "stopped" ? toCancel(hub, context, { stopped: "free" }) : undefined;
}

/** Asks the provider to stop a job, and records its refusal. A provider of a kind without `cancel` refuses. */
async function askAndRecord(hub: RunHub, context: AttemptContext): Promise<CancelReply | null> {
  const reply = getProvider(hub, context.route).cancel ? await tryToCancel(hub, context) : "refused";
  if (reply === "refused") await refuseCancel(hub, context.generation.id);
  return reply;
}

/** Records that the provider will not stop a generation. */
const refuseCancel = async (hub: RunHub, id: string): Promise<void> =>
  void (await updateRefusal(hub.db, id, hub.now()));

const updateRefusal = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `UPDATE generation g SET cancel_refused_at = $2 WHERE g.id = $1 AND g.status = 'running' AND ${isCancelOpenSql}`,
});

/** Returns the provider's reply to a request to stop a job; null without one. */
async function tryToCancel(hub: RunHub, context: AttemptContext): Promise<CancelReply | null> {
  const { generation, route, signal } = context;
  try {
    return await withTimeout(MAX_CANCEL_MS, signal, (limit) => askToCancel(hub, context, limit));
  } catch (error) {
    signal.throwIfAborted();
    hub.log.warn({ err: error as Error, generation: generation.id, route: route.id }, "provider's job not canceled");
    return null;
  }
}

/** Asks the provider to stop a job that is past its deadline, if providers of its kind can. */
export async function cancelLateJob(hub: RunHub, context: AttemptContext): Promise<void> {
  if (context.attempt.upstream_id !== null && getProvider(hub, context.route).cancel) await tryToCancel(hub, context);
}

/**
 * Runs a submit. If its provider can stop it before it returns, asks for that once the customer cancels, and again until
 * it returns or the provider refuses.
 */
export async function submitUntilCanceled<T>(
  hub: RunHub,
  context: AttemptContext,
  submit: () => Promise<T>,
): Promise<T> {
  if (!getProvider(hub, context.route).cancelsSubmits) return submit();
  const returned = new AbortController();
  const signal = AbortSignal.any([context.signal, returned.signal]);
  void watchForCancel(hub, { ...context, signal }).catch((error: unknown) => {
    if (!signal.aborted) hub.log.warn({ err: error, generation: context.generation.id }, "cancellation not watched");
  });
  try {
    return await submit();
  } finally {
    returned.abort();
  }
}

async function watchForCancel(hub: RunHub, context: AttemptContext): Promise<void> {
  for (;;) {
    await delay(CHECK_INTERVAL_MS, undefined, { signal: context.signal });
    // A failed query does not mean that nobody has canceled.
    const state = await findCancelState(hub, context.generation.id).catch(() => undefined);
    if (state?.is_requested && !state.is_refused) await askAndRecord(hub, context);
  }
}

/** Returns the end of a generation whose job the provider has stopped, if that is what its customer asked for. */
export async function endStopped(
  hub: RunHub,
  context: AttemptContext,
  state: FailedJob,
): Promise<EndingAction | undefined> {
  if (!state.stopped) return undefined;
  const current = await findCancelState(hub, context.generation.id);
  return current?.is_requested ? toCancel(hub, context, state) : undefined;
}

/**
 * Returns the cancellation of a job that has ended, with the charge: what the provider reports, otherwise what it is known to
 * bill, or the whole estimate if it bills an unknown amount.
 */
function toCancel(
  hub: RunHub,
  context: AttemptContext,
  { stopped, ...state }: Pick<FailedJob, "stopped" | "costUsd" | "upstreamStatus">,
): EndingAction {
  const cost = stopped === "free" ? "0" : attemptCost(hub, context, state);
  const isBilled = stopped === "billed" || state.costUsd !== undefined;
  const charge = cost ?? context.generation.estimated_cost.toString();
  return {
    next: "cancel",
    cost: isBilled ? charge : "0",
    attempt: { outcome: "canceled", upstreamStatus: state.upstreamStatus, cost },
  };
}

/** The shortest pause between polls of a job that is to stop; it grows with the time since the request. */
const MIN_POLL_SECONDS = 1;

/**
 * Returns the seconds until a pending job is polled again: none if the customer has canceled during this step, and fewer than
 * usual soon after that.
 */
export function cancelPollSeconds(
  hub: RunHub,
  { generation: { cancel_requested_at: requestedAt } }: AttemptContext,
  isRequested: boolean,
  usualSeconds: number,
): number {
  if (!isRequested) return usualSeconds;
  if (requestedAt === null) return 0;
  const seconds = (hub.now().getTime() - requestedAt.getTime()) / 1000;
  return Math.min(usualSeconds, Math.max(MIN_POLL_SECONDS, seconds / 4));
}
