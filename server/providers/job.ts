import type { Route } from "../catalogue/model";
import type { Nano } from "../lib/money";
import { yieldOnce } from "../lib/yield-once";
import type { Failure, FailureCause, Started } from "./failure";

/** What a model takes and gives, in words such as `text`, `image` and `audio`. */
export interface Modalities {
  input: string[];
  output: string[];
}

/** A job for a provider: one attempt of a generation. */
export interface Job {
  /** The generation's id. */
  id: string;
  /** The attempt's UUID, for upstreams that let the hub choose the id of a job. */
  attemptId: string;
  /** Counts from 1. */
  attempt: number;
  /** When this attempt was recorded, just before its submit. */
  openedAt: Date;
  /** When the generation fails if it is still running. */
  deadlineAt: Date;
  /** The input that upstream gets: with the route's names, values and constants, and its file parameters prepared. */
  input: Record<string, unknown>;
  /** Upstream's name of the model or endpoint for this input; empty if the kind needs none. */
  upstreamModel: string;
  /** What the model takes and gives, for a kind with an endpoint for each. */
  modalities: Modalities;
  route: Route;
  /** The URL to which upstream may report; null while the hub cannot be reached from outside. */
  callbackUrl: string | null;
}

export interface ProviderOutput {
  /** The media type that upstream named, if any: what the content shows takes precedence. */
  mediaType: string | null;
  /** Passes the content to `store`; again at each call. Throws ProviderError when the content cannot be had any more. */
  read: (store: (content: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>;
}

/** An output whose content is at hand, such as a worker's upload. */
export interface OutputContent {
  mediaType: string;
  content: AsyncIterable<Uint8Array>;
}

/** What upstream reports as used, for prices that depend on it. */
export interface ProviderUsage {
  /** Seconds of audio or video. */
  seconds?: number;
  /** Seconds of computing. */
  computeSeconds?: number;
  tokens?: { input: number; output: number };
}

export interface FailedJob {
  state: "failed";
  error: Failure;
  started: Started;
  cause: FailureCause;
  upstreamStatus?: number;
  /** Seconds after which upstream accepts a retry. */
  retryAfter?: number;
  /** USD in nano that upstream took although it failed. */
  costUsd?: Nano;
  /** Whether upstream bills for a job that it stopped, for example on request; absent for any other failure. */
  stopped?: "free" | "billed" | "unknown";
}

export type JobState =
  | {
      state: "succeeded";
      outputs: ProviderOutput[];
      usage?: ProviderUsage;
      /** USD in nano, if upstream tells; otherwise the route's price. */
      costUsd?: Nano;
      upstreamStatus?: number;
    }
  | FailedJob
  /** Poll again after `pollAfterSeconds`, or sooner when upstream calls back. */
  | {
      state: "pending";
      /** What `poll` needs to find the job: opaque text of at most 4 KiB, never shown. */
      upstreamId: string;
      progress: number | null;
      /** How many jobs are before it in upstream's queue. */
      queuePosition?: number;
      /** USD in nano that upstream takes for it, if it says so at once. */
      costUsd?: Nano;
      pollAfterSeconds: number;
      /** The newest lines of its log, without secrets; oldest first. */
      log?: LogLine[];
      /** An encoded picture of the work so far. */
      preview?: Buffer;
    };

/** A line of a job's log. */
export interface LogLine {
  text: string;
  /** Where it ends in upstream's log, which is read from its start again and again; absent for a line that is sent once. */
  end?: number;
}

/** Returns an output whose content is at hand. */
export const outputOf = (content: Uint8Array, mediaType: string | null): ProviderOutput => ({
  mediaType,
  read: (store) => store(yieldOnce(content)),
});
