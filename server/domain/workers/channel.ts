/** The NOTIFY channel for claimable jobs; the payload is the model. The triggers of `notify_worker_job` notify it too. */
export const JOB_AVAILABLE_CHANNEL = "hub_worker";
