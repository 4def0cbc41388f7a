/** Batches: up to 1,000 generations of one model that are accepted together, counted together and canceled together. */
export { getBatch, listBatches, serializeBatch } from "./batch";
export { cancelBatch } from "./cancel";
export { listCollapsed } from "./list-collapsed";
export { completeBatches } from "./complete";
export { createBatch, MAX_INPUTS } from "./create";
export { previewBatch } from "./preview";
export { isBatch, rejectBatchRecord } from "./reject-record";
