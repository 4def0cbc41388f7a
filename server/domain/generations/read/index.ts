/** Generations as people see them: one, lists, attempts, outputs, charges, holds. */
export { type ChargeDescription, describeCharges } from "./describe-charges";
export { describeProviders, type ProviderReport, type RouteReport } from "./describe-providers";
export { createGenerationLookup, type GenerationRef, getStoredGeneration, type StoredGeneration } from "./get";
export { listAttempts, serializeAttempts } from "./list-attempts";
export { listHolds, serializeHold } from "./list-holds";
export { type GenerationOutput, listOutputs } from "./list-outputs";
export { listStoredGenerations, serializeTotal } from "./list";
export { parseSnapshot, serializeGeneration, type Snapshot } from "./serialize-generation";
export { toListItem } from "./to-list-item";
export { createEndWaiters, type EndWaiters, waitForEnd } from "./wait-for-end";
