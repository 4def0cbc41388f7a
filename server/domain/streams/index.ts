/** Streams of server-sent events: what happens to a generation, or to all of an account, as it happens. */
export { purgeChanges } from "./change-log";
export { createStreamServices, type StreamServices, type StreamsHub } from "./hub";
export { streamAccount, streamGeneration, type StreamRequest } from "./open";
