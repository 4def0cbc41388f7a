import { z } from "zod";

const OWN = ["images", "trigger_word"];

const name = z.string().trim().min(1, "must not be empty").max(200).meta({ example: "Ada" });
const baseModel = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "Id of a model that workers serve: it does the training", example: "sandbox-trainer" });
const triggerWord = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: "What the subject is called", example: "ada42" });
const images = z
  .array(z.string().min(1).max(8_192))
  .max(1_000)
  .meta({
    description: "Pictures of the subject: http(s) URLs, file URLs of yours, or `sha256:` and a hash",
    example: ["sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  });
const parameters = z
  .record(z.string(), z.unknown())
  .superRefine((value, issue) => {
    for (const field of OWN.filter((own) => Object.hasOwn(value, own))) {
      issue.addIssue({ code: "custom", path: [field], message: "is a field of the character itself" });
    }
  })
  .meta({ description: "Other parameters of the base model", example: { steps: 20 } });

/** What a new character is made from, as REST and the console take it. */
export const CharacterInput = z
  .strictObject({
    name,
    base_model: baseModel,
    trigger_word: triggerWord.default(null),
    images,
    parameters: parameters.default({}),
  })
  .meta({ id: "CharacterRequest" });

/** What may be changed of one. */
export const CharacterChanges = z
  .strictObject({ name, base_model: baseModel, trigger_word: triggerWord, images, parameters })
  .partial()
  .meta({ id: "CharacterChanges" });

/** What a start may bring along. */
export const StartInput = z
  .strictObject({
    parameters: parameters.optional().meta({ description: "Added to those of the character, and kept there" }),
    max_cost: z.number().min(0).optional().meta({ description: "The most that the estimate may be, in EUR" }),
  })
  .meta({ id: "StartRequest" });
