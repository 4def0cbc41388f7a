/** The models on offer: find and show them, price an input, and change the catalogue. */
export { acceptsCharacter, isCompatible, isSandbox, sandboxIds } from "./accepts-character";
export { applyRevision } from "./apply-revision";
export { checkDraft } from "./catalogue-draft";
export { type CheaperInput, findCheaperInputs } from "./cheaper-inputs";
export { expectOutput } from "./expected-output";
export type { ModelsHub } from "./hub";
export { getRevision, listRevisions } from "./list-revisions";
export { isTrainer, listModelsOfKind, type ModelKind, modelKinds } from "./model-kind";
export { checkAllowedModels, getModel, listModels } from "./offered-models";
export { findPrice, priceInput } from "./price";
export { serializeModel, serializePrices } from "./serialize-model";
export { isWorkerModel, type WorkerModel } from "./worker-model";
