/** The attempt that reports. Its reports count only while it is the one that runs. */
export interface ReportingAttempt {
  generationId: string;
  /** The number of the attempt, which is a worker's fence. */
  attempt: number;
  /** The run that made it; null for a worker's. */
  runId: string | null;
}

/** SQL that selects the generation `:id` as `running (id)` while the attempt `:attempt` of the run `:run_id` works on it. */
export const runningSql = `
  running AS (
    SELECT id FROM generation
    WHERE id = :id AND status = 'running'
      AND CASE WHEN :run_id::text IS NULL THEN fence = :attempt ELSE run_id = :run_id END
  )`;
