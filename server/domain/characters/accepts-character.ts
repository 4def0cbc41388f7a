import type { Model } from "../../catalogue/model";
import { sandboxCatalogue } from "../../providers/sandbox/models";

/** Whether an input of this model can name a character: it has an integer parameter `character`. */
export const acceptsCharacter = ({ parametersSchema }: Model): boolean =>
  parametersSchema.properties.character?.type === "integer";

/** The sandbox's own models. */
export const sandboxIds = sandboxCatalogue.map(({ id }) => id);

export const isSandbox = (modelId: string): boolean => sandboxIds.includes(modelId);

/** Whether this model can use what that one has trained: the sandbox's understand each other, and an operator's do. */
export const isCompatible = (modelId: string, baseModel: string): boolean =>
  isSandbox(modelId) === isSandbox(baseModel);
