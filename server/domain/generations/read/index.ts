/** Reads generations for the API and the console: one, lists, attempts, outputs, charges and holds. */
export { type ChargeDescription, describeCharges } from "./describe-charges";
export { describeProviders, type ProviderReport, type RouteReport } from "./describe-providers";
export { getStoredGeneration, type StoredGeneration } from "./get";
export { createReadServices, type ReadHub, type ReadServices } from "./hub";
export { listStoredGenerations, serializeTotal } from "./list";
export { listAttempts, serializeAttempts } from "./list-attempts";
export { listHolds, serializeHold } from "./list-holds";
export { type GenerationOutput, listOutputs } from "./list-outputs";
export { parseSnapshot, serializeGeneration, type Snapshot, toListItem } from "./serialize-generation";
export { selectPage } from "./select-page";
export { hasRoomToWait, waitForEnd } from "./wait-for-end";
