import { randomUUID } from "node:crypto";
import type { Page, Prediction, WebhookEventType } from "replicate";
import type { DoubleRequest } from "../double";
import { COMMUNITY_MODEL, OFFICIAL_MODEL, parseCancelAfter, VERSION } from "./models";
import { type Outcome, type OutcomeName, outcomes } from "./outcomes";

const RETENTION_MS = 3_600_000;

/** A prediction of the double. Its statuses advance with each read, and not with time. */
export interface StoredPrediction {
  id: string;
  /** The key that created it. */
  key: string;
  model: string;
  version: string;
  deployment?: string;
  input: object;
  webhook?: string;
  webhook_events_filter?: WebhookEventType[];
  status: string;
  /** The statuses before its end. */
  ahead: string[];
  outcome: Outcome;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  deadline: Date | null;
}

/** How new predictions run, and the clock, which an hour can be added to. */
export interface PredictionSettings {
  now: () => Date;
  /** Statuses after `starting`, one for each read, before the prediction ends. */
  statuses: string[];
  /** How the next predictions end, one each; all others make a picture. */
  outcomes: OutcomeName[];
}

/** Returns a new prediction for a valid request. */
export function createPrediction(
  { url, headers, json }: DoubleRequest,
  settings: PredictionSettings,
): Omit<StoredPrediction, "key"> {
  const { version, ...body } = json as Pick<StoredPrediction, "input"> & { version?: string };
  const id = randomUUID().replaceAll("-", "").slice(0, 26);
  const now = settings.now();
  const seconds = parseCancelAfter(headers["cancel-after"]);
  const isCommunity = version !== undefined && version !== OFFICIAL_MODEL;
  return {
    ...body,
    id,
    status: "starting",
    ahead: [...settings.statuses],
    createdAt: now,
    startedAt: null,
    completedAt: null,
    model: isCommunity ? COMMUNITY_MODEL : OFFICIAL_MODEL,
    version: isCommunity ? VERSION : "hidden",
    deployment: /deployments\/(.*)\/predictions$/.exec(url.pathname)?.[1],
    outcome: outcomes[settings.outcomes.shift() ?? "picture"](`${url.origin}/delivery/${id}`),
    deadline: seconds === null ? null : new Date(now.getTime() + seconds * 1000),
  };
}

/** Moves a prediction to its next status. */
export function advancePrediction(prediction: StoredPrediction, now: Date): void {
  const { ahead, deadline, startedAt, outcome } = prediction;
  if (prediction.completedAt) return;
  if (deadline && now > deadline) return endPrediction(prediction, { status: startedAt ? "canceled" : "aborted" }, now);
  const next = ahead.shift();
  if (next === undefined) return endPrediction(prediction, outcome, now);
  prediction.status = next;
  if (next === "processing") prediction.startedAt ??= now;
}

/** Ends a prediction that has not ended yet. */
export function endPrediction(prediction: StoredPrediction, outcome: Outcome, now: Date): void {
  if (prediction.completedAt) return;
  Object.assign(prediction, { outcome, status: outcome.status, completedAt: now });
  if (outcome.status !== "aborted") prediction.startedAt ??= now;
}

/** Returns a prediction as the API and the webhooks show it. */
export function showPrediction(prediction: StoredPrediction, base: string, now: Date) {
  const { id, model, version, deployment, webhook, webhook_events_filter, completedAt } = prediction;
  return {
    id,
    model,
    version,
    deployment,
    webhook,
    webhook_events_filter,
    ...showData(prediction, now),
    source: "api" as const,
    // The official type does not contain statuses that Replicate adds later.
    status: prediction.status as Prediction["status"],
    metrics: completedAt && prediction.startedAt ? { predict_time: 1.25, total_time: 2.5 } : {},
    created_at: prediction.createdAt.toISOString(),
    started_at: toText(prediction.startedAt),
    completed_at: toText(completedAt),
    deadline: toText(prediction.deadline),
    urls: {
      get: `${base}/predictions/${id}`,
      cancel: `${base}/predictions/${id}/cancel`,
      web: `https://replicate.com/p/${id}`,
      stream: `https://stream.replicate.com/v1/files/${id}`,
    },
  } satisfies Nullable<Prediction, "started_at" | "completed_at" | "deadline">;
}

/** The official type leaves out members that the API sends as null. */
type Nullable<T, Name extends keyof T> = Omit<T, Name> & { [name in Name]: T[name] | null };

const toText = (time: Date | null): string | null => time?.toISOString() ?? null;

function showData({ input, outcome, completedAt }: StoredPrediction, now: Date) {
  const { output = null, error = null, isExpired = false } = completedAt ? outcome : {};
  const isRemoved = isExpired || (completedAt !== null && now.getTime() - completedAt.getTime() > RETENTION_MS);
  if (isRemoved) return { data_removed: true, input: {}, output: null, error: null, logs: "" };
  return { data_removed: false, input, output, error, logs: "Using seed: 42\n" };
}

/** Returns a page of predictions, the newest first, by the query of a request. */
export function listPredictions(
  predictions: StoredPrediction[],
  url: URL,
  pageSize: number,
  show: (prediction: StoredPrediction) => unknown,
): Nullable<Page<unknown>, "next" | "previous"> {
  const after = Date.parse(url.searchParams.get("created_after") ?? "1970-01-01");
  const before = Date.parse(url.searchParams.get("created_before") ?? "9999-12-31");
  const found = predictions.filter(({ createdAt }) => createdAt.getTime() >= after && createdAt.getTime() < before);
  const start = Number(url.searchParams.get("cursor") ?? 0);
  const end = start + pageSize;
  const next = new URL(url);
  next.searchParams.set("cursor", String(end));
  const results = found.reverse().slice(start, end).map(show);
  return { results, next: end < found.length ? next.href : null, previous: null };
}
