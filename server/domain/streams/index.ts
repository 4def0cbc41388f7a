/** Streams of server-sent events: what happens to a generation, or to all of an account, as it happens. */
export { purgeChanges } from "./change-log";
export { checkStreamed, streamAccount, streamGeneration, type StreamRequest } from "./open";
export { getPreview } from "./preview";
export { listStoredOutputs } from "./read-generations";
export { createStreamServices, type StreamServices } from "./services";
