import { z } from "zod";
import { OwnWebhookInput } from "../endpoints";
import { LabelInput } from "../labels";
import { RetentionInput } from "../retention";

const RESERVED = ["images", "trigger_word"];

const name = z.string().trim().min(1, "must not be empty").max(200).meta({ example: "Ada" });
const baseModel = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "Id of a model that workers serve; it trains the character", example: "sandbox-trainer" });
const triggerWord = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: "Trigger word for prompts", example: "ada42" });
const images = z
  .array(z.string().min(1).max(8_192))
  .max(1_000)
  .meta({
    description: "Pictures of the subject: http(s) URLs, URLs of your files, or `sha256:<hash>`",
    example: ["sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  });
const parameters = z
  .record(z.string(), z.unknown())
  .superRefine((value, issue) => {
    for (const field of RESERVED.filter((reserved) => Object.hasOwn(value, reserved))) {
      issue.addIssue({ code: "custom", path: [field], message: "is a field of the character itself" });
    }
  })
  .meta({ description: "Other parameters of the base model", example: { steps: 20 } });

/** The request body for a new character, in REST and the console. */
export const CharacterInput = z
  .strictObject({
    name,
    base_model: baseModel,
    trigger_word: triggerWord.default(null),
    images,
    parameters: parameters.default({}),
  })
  .meta({ id: "CharacterRequest" });

/** The request body for an update. */
export const CharacterChanges = z
  .strictObject({ name, base_model: baseModel, trigger_word: triggerWord, images, parameters })
  .partial()
  .meta({ id: "CharacterChanges" });

/** The request body for a start. */
export const StartInput = z
  .strictObject({
    parameters: parameters.optional().meta({ description: "Merged into the character's parameters and saved" }),
    max_cost: z
      .number()
      .min(0)
      .optional()
      .meta({ description: "Maximum estimate in EUR; a higher estimate is rejected" }),
    webhook: OwnWebhookInput.optional(),
    ...RetentionInput,
    ...LabelInput,
  })
  .meta({ id: "StartRequest" });
