/** Postgres tells here, by its model, of every job that a worker could take now. The trigger `worker_job_is_told` does as well. */
export const JOB_AVAILABLE_CHANNEL = "hub_worker";
