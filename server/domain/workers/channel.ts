/** Postgres tells here, by its model, of every job that a worker could take now. The trigger `worker_job_is_told` does as well. */
export const WORKER_CHANNEL = "hub_worker";
