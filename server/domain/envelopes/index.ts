/** The bodies of webhook events: how they are rendered, examples of them, and the feed of events. */
export { buildExampleData, buildExampleGeneration } from "./example";
export type { EnvelopesHub } from "./hub";
export { listEvents } from "./list-events";
export { buildEnvelope, createEnvelopeServices, type EnvelopeServices, renderEvent } from "./render";
