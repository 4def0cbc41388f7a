import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../../errors";
import type { CallbackRequest, ProviderIo } from "../../../providers/provider";
import { findReportedAttempt, findUnreadReport, recordReport } from "../attempts";
import { getProvider } from "./ask-provider";
import { isCallbackToken } from "./callback-url";
import { findAttemptRoute } from "./choose-route";
import type { RunHub } from "./hub";

const MAX_ID_BYTES = 4_096;
const MAX_DURATION_MS = 10_000;

/** What a callback's URL names. */
export interface CallbackTarget {
  attemptId: string;
  token: string;
}

/** Throws 401 `unauthorized` unless the token is that of the attempt. */
export function checkCallbackToken(hub: RunHub, { attemptId, token }: CallbackTarget): void {
  if (!isCallbackToken(hub, attemptId, token))
    throw new AppError("unauthorized", "The token is not that of this attempt.");
}

/**
 * Receives a provider's report on an attempt: polls its generation immediately, and stores the job's id if the submit has not
 * returned it. A report on a lost attempt is only recorded; a report on any other ended attempt changes nothing. Throws 401
 * `unauthorized` for a wrong token, and for a report without a valid signature of a provider that signs.
 */
export async function receiveCallback(hub: RunHub, target: CallbackTarget, request: CallbackRequest): Promise<void> {
  checkCallbackToken(hub, target);
  const { attemptId } = target;
  const attempt = await findReportedAttempt(hub, attemptId);
  const route = attempt && findAttemptRoute(hub, attempt, attempt);
  if (!attempt || !route) return;
  const io: ProviderIo = {
    fetch: hub.fetch,
    json: hub.json,
    now: hub.now,
    read: rejectFile,
    readFile: rejectFile,
    reserveMemory: () => Promise.resolve(),
    signal: AbortSignal.timeout(MAX_DURATION_MS),
  };
  const job = { attemptId, upstreamId: attempt.upstream_id, route };
  const { upstreamId = null } = await getProvider(hub, route).callback!(request, job, io);
  const isStorable = upstreamId !== null && Buffer.byteLength(upstreamId) <= MAX_ID_BYTES;
  await recordReport(hub, attemptId, isStorable ? upstreamId : null);
  if (!attempt.is_lost) hub.publish({ name: "generation/reported", data: { id: attempt.generation_id } });
}

const rejectFile = () => Promise.reject(new Error("a callback has no files"));

/** The time that a run has to notice a report. */
const NOTICE_MS = 200;

/**
 * Publishes the event of a provider's report again if its run has not noticed it. A run receives events only once the engine
 * has stored that it waits for them. Never throws: without the event, the run polls later.
 */
export async function repeatReport(hub: RunHub, attemptId: string): Promise<void> {
  try {
    await delay(NOTICE_MS, undefined, { ref: false });
    const generationId = await findUnreadReport(hub, attemptId);
    if (generationId !== null) hub.publish({ name: "generation/reported", data: { id: generationId } });
  } catch (error) {
    hub.log.warn({ err: error, attempt: attemptId }, "report not repeated");
  }
}
