/** GPU programs of the operator: their tokens, jobs, leases and outputs. */
export { claimJob, type Job } from "./claim-job";
export { completeJob } from "./complete-job";
export { failJob } from "./fail-job";
export { failSandboxJobs } from "./fail-sandbox-jobs";
export { recordHeartbeat } from "./heartbeat";
export { createWorkerServices, type WorkerServices } from "./job-waiters";
export { listWorkers } from "./list";
export { listPresence } from "./list-presence";
export { applyPresence, ONLINE_MS, PRESENCE_CHANNEL } from "./presence";
export { MAX_OUTPUTS, putOutput } from "./put-output";
export { runSandboxTraining } from "./run-sandbox-training";
export { waitForJob } from "./wait-for-job";
export { authenticateWorker, createToken, listTokens, revokeToken, type Worker } from "./worker";
