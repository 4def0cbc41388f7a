/** Finds and serializes the offered models, prices inputs, and applies changes of the catalogue. */
export { acceptsCharacter, isCompatible, sandboxIds } from "./accepts-character";
export { checkDraft } from "./catalogue-draft";
export { findCheaperInputs, findPrice, priceInput, quoteInput } from "./price";
export { expectOutput } from "./expected-output";
export type { ModelsHub } from "./hub";
export { isTrainer, isWorkerModel, listModelsOfKind, type ModelKind, modelKinds, type WorkerModel } from "./model-kind";
export { checkAllowedModels, findModel, getModel, listModels } from "./offered-models";
export { applyRevision, getRevision, listRevisions } from "./revisions";
export { serializeModel, serializePrices } from "./serialize-model";
