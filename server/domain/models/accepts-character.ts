import type { Model } from "../../catalogue/model";
import { sandboxCatalogue } from "../../providers/sandbox/models";

/** Returns whether the model has an integer parameter `character`. */
export const acceptsCharacter = ({ parametersSchema }: Model): boolean =>
  parametersSchema.properties.character?.type === "integer";

/** The ids of the sandbox's models. */
export const sandboxIds = sandboxCatalogue.map(({ id }) => id);

/** Returns whether the model is one of the sandbox's. */
const isSandbox = (modelId: string): boolean => sandboxIds.includes(modelId);

/** Returns whether a model can use characters of a base model: both are the sandbox's, or both the operator's. */
export const isCompatible = (modelId: string, baseModel: string): boolean =>
  isSandbox(modelId) === isSandbox(baseModel);
