/**
 * GPU programs that the operator runs. Each authenticates with a token, claims a job under a lease, renews the lease while it
 * works, stores outputs, and completes or fails the job.
 */
export { claimJob, type Job, waitForJob } from "./claim-job";
export { completeJob } from "./complete-job";
export { failJob } from "./fail-job";
export { createWorkerServices, type WorkerServices } from "./job-waiters";
export { putOutput, recordHeartbeat } from "./lease";
export { listWorkers } from "./list";
export { applyPresence, listPresence, ONLINE_MS, PRESENCE_CHANNEL } from "./presence";
export { failSandboxJobs, runSandboxTraining } from "./sandbox-jobs";
export { authenticateWorker, createToken, listTokens, revokeToken, type Worker } from "./worker";
