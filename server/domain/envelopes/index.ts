/** The bodies of webhook events: how they are rendered, examples of them, and the feed of events. */
export { buildExampleData, buildExampleGeneration } from "./example";
export { listEvents } from "./list-events";
export { buildEnvelope, createRenderBatcher, type EventRow, renderEvent } from "./render";
