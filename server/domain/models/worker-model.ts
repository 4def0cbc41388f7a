import type { Model } from "../../catalogue/model";

/** A model that workers serve. */
export type WorkerModel = Model & { pricing: Extract<Model["pricing"], { by: "gpu-second" }> };

/** Returns whether workers serve the model. */
export const isWorkerModel = (model: Model): model is WorkerModel => model.pricing.by === "gpu-second";
