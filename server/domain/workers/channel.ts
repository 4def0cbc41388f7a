/** The NOTIFY channel for claimable jobs; the payload is the model. The trigger `worker_job_is_told` notifies it too. */
export const JOB_AVAILABLE_CHANNEL = "hub_worker";
