import { int4, int8Text, text, uuid } from "../../server/db/column-types";

/** The columns of a job, one unit of the queue: a call of a function, or a wait for a time. */
export const jobColumns = {
  id: int8Text,
  run_id: uuid,
  /** `step` for a call that discovers the next steps, or the id of one planned step. */
  step: text,
  attempt: int4,
};

export interface NewJob {
  step: string;
  kind: "call" | "timer";
  attempt: number;
  /** Null for a job that is ready now. */
  dueAt: Date | null;
  /** The event that may end the wait before its time. */
  wait?: { event: string; key: string; expression: string };
}

export interface StepResult {
  step: string;
  /** JSON, as the SDK expects it in the next call. */
  value: string;
  failed: boolean;
}

interface RunEnd {
  status: "completed" | "failed" | "canceled";
  /** JSON. */
  result: string;
}

/** The result of one job, committed atomically with the job's removal. */
export interface Outcome {
  runId: string;
  /** Null if the outcome concerns the run as a whole. */
  jobId: string | null;
  /** The state that the job must still have: `taken` by this engine instance, or `later`. Else the outcome is void. */
  fromState: "taken" | "later" | null;
  /** In the order in which the steps ended. */
  stepResults?: StepResult[];
  newJobs?: NewJob[];
  runEnd?: RunEnd;
}
