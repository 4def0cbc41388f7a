/** What a queued generation waits for: files, a slot of the account, a route, a place at a provider. */
export { dispatchNextQueued, dispatchQueued, JOB_AVAILABLE_CHANNEL } from "./dispatch-queued";
export { dispatchForProvider, dispatchWaiting } from "./dispatch-waiting";
export { markInputsReady, redispatchFetches } from "./external-inputs";
export { createQueueServices, type QueueHub, type QueueServices } from "./hub";
export { findObstacle, findProviderUse, lockProvider } from "./provider-capacity";
export { redispatchLapsed, redispatchLatest, redispatchStale } from "./redispatch";
export { clearWaits, purgeWaits, recordWaits, type RouteWait, type WaitReason } from "./route-waits";
export { onFileStored, onOutputsStored, queueSupplied } from "./supply";
