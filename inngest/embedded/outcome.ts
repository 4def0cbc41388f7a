/** One unit of the queue: a call of the function, or a wait for a time. */
export interface Job {
  id: string;
  run_id: string;
  /** `step`, or the id of one planned step. */
  step: string;
  attempt: number;
}

/** The step of a job that calls the function to see what comes next. */
export const NEXT = "step";

export interface NewJob {
  step: string;
  kind: "call" | "timer";
  attempt: number;
  /** Null when it is ready now. */
  due: Date | null;
  wait?: { event: string; key: string; expression: string };
}

export interface StepResult {
  step: string;
  /** JSON, as the SDK is to get it. */
  value: string;
  failed: boolean;
}

export interface End {
  status: "completed" | "failed" | "canceled";
  /** JSON. */
  result: string;
  /** Told to whoever listens, such as the function's `onFailure`; JSON. */
  event?: string;
}

/** What a job came to. Its job goes, and all of this takes place, or nothing of it. */
export interface Outcome {
  run: string;
  /** Null when it concerns the run whatever its jobs do. */
  job: string | null;
  /** A job that executes counts only while it is still this process's; one that waits, while it still waits. */
  from: "taken" | "later" | null;
  memo?: StepResult;
  jobs?: NewJob[];
  end?: End;
}
