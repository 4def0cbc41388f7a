import type { Catalogue, Model } from "../../catalogue/model";

/** A model that workers serve. */
export type WorkerModel = Model & { pricing: Extract<Model["pricing"], { by: "gpu-second" }> };

/** Returns whether workers serve the model. */
export const isWorkerModel = (model: Model): model is WorkerModel => model.pricing.by === "gpu-second";

/** What generations make, as lists can be filtered by it. */
export const modelKinds = ["image", "video", "audio", "text", "training"] as const;
export type ModelKind = (typeof modelKinds)[number];

/** Returns whether a model trains characters: workers serve it, and it learns from `images`. */
export const isTrainer = (model: Model): boolean =>
  isWorkerModel(model) && model.parametersSchema.properties.images !== undefined;

const isOfKind = (model: Model, kind: ModelKind): boolean =>
  isTrainer(model) ? kind === "training" : kind !== "training" && model.outputModalities.includes(kind);

/** Returns the ids of the catalogue's models of a kind, those for members included. */
export const listModelsOfKind = (catalogue: Catalogue, kind: ModelKind): string[] =>
  [...catalogue.values()].filter((model) => isOfKind(model, kind)).map(({ id }) => id);
