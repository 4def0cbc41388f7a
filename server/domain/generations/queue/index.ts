/**
 * Holds generations until they can run (files, a slot of the account, a route, a place at a provider), and dispatches them
 * then.
 */
export { dispatchNextQueued, dispatchQueued, JOB_AVAILABLE_CHANNEL } from "./dispatch-queued";
export { dispatchForProvider, dispatchWaiting } from "./dispatch-waiting";
export { createQueueServices, type QueueHub, type QueueServices } from "./hub";
export { countPlace } from "./provider-turns";
export { findObstacle, findProviderUse, withProviderLock } from "./provider-capacity";
export { redispatchFetches, redispatchLapsed, redispatchLatest, redispatchStale } from "./redispatch";
export { clearWaits, purgeWaits, recordWaits, type RouteWait, type WaitReason } from "./route-waits";
export { markInputsReady, onFileStored, onOutputsStored, queueSupplied } from "./supply";
