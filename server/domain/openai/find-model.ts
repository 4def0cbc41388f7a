import type { OfferedModel } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { getModel } from "../models";
import type { OpenAiHub } from "./hub";

const remedies = {
  image: "does not draw pictures: choose a model whose output_modalities contain image",
  video: "does not make videos: choose a model whose output_modalities contain video",
  audio: "does not generate speech: choose a model whose output_modalities contain audio",
  text: "does not transcribe recordings: choose a model whose input_modalities contain audio",
};

/** Returns the account's model that generates this kind of output. Throws 404 like `getModel`, and 400 for other models. */
export function findModel(ctx: Ctx<OpenAiHub>, id: string, output: keyof typeof remedies): OfferedModel {
  const model = getModel(ctx, id);
  const isFit =
    model.outputModalities.includes(output) && (output !== "text" || model.inputModalities.includes("audio"));
  if (!model.isLlm && isFit) return model;
  throw invalidInput("model", remedies[output]);
}

/** Returns the 502 for a generation that succeeded without an output of the expected kind. */
export const unusableOutput = (): AppError =>
  new AppError("provider_error", "The provider's output could not be used.", {}, { "x-should-retry": "false" }, 502);
