import { z } from "@hono/zod-openapi";
import { statuses } from "../../domain/characters/character";
import { Failure, missing, progress } from "./generation";
import { currency, euros, limit, modelId, time, uuid } from "./values";

const OWN = ["images", "trigger_word"];

const name = z.string().trim().min(1, "must not be empty").max(200).openapi({ example: "Ada" });
const baseModel = z
  .string()
  .min(1)
  .max(200)
  .openapi({ description: "Id of a model that workers serve: it does the training", example: "sandbox-trainer" });
const triggerWord = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .openapi({ description: "What the subject is called", example: "ada42" });
const images = z
  .array(z.string().min(1).max(8_192))
  .max(1_000)
  .openapi({ description: "Pictures of the subject: http(s) URLs, file URLs of yours, or `sha256:` and a hash" });
const parameters = z
  .record(z.string(), z.unknown())
  .superRefine((value, issue) => {
    for (const field of OWN.filter((own) => Object.hasOwn(value, own))) {
      issue.addIssue({ code: "custom", path: [field], message: "is a field of the character itself" });
    }
  })
  .openapi({ description: "Other parameters of the base model", example: { steps: 20 } });

export const CharacterRequest = z
  .strictObject({
    name,
    base_model: baseModel,
    trigger_word: triggerWord.default(null),
    images,
    parameters: parameters.default({}),
  })
  .openapi("CharacterRequest");

export const CharacterChanges = z
  .strictObject({ name, base_model: baseModel, trigger_word: triggerWord, images, parameters })
  .partial()
  .openapi("CharacterChanges");

export const StartRequest = z
  .strictObject({
    parameters: parameters.optional().openapi({ description: "Added to those of the character, and kept there" }),
    max_cost: z.number().min(0).optional().openapi({ description: "The most that the estimate may be, in EUR" }),
  })
  .openapi("StartRequest");

/** Specification, section 2.10, with the fields of the contract. */
export const Character = z
  .object({
    id: z.int().openapi({ format: "int32", example: 7 }),
    name: z.string(),
    status: z.enum(statuses).openapi("CharacterStatus"),
    base_model: modelId,
    trigger_word: z.string().nullable(),
    images: z.array(z.string()),
    parameters: z.record(z.string(), z.unknown()),
    estimated_cost: euros.nullable().openapi({
      description: "Of the newest training; for a draft what a start would hold, null when its model is not on offer",
    }),
    billed_cost: euros.nullable().openapi({ description: "EUR of all its trainings; null before one is billed" }),
    currency,
    progress,
    missing,
    error: Failure.nullable(),
    generation_id: uuid.nullable().openapi({ description: "The newest training, which is a generation" }),
    model: modelId.nullable().openapi({
      description: "Once it is ready: a model that takes its id as `input.character`",
    }),
    created_at: time,
    updated_at: time,
  })
  .openapi("Character");

export const CharacterQuery = z.object({
  limit: limit(20, 100),
  cursor: z.string().min(1).max(512).optional().openapi({ description: "`next_cursor` of the page before" }),
});

export const CharacterPage = z
  .object({
    data: z.array(Character).openapi({ description: "Newest first" }),
    next_cursor: z.string().nullable().openapi({ description: "Null on the last page" }),
  })
  .openapi("CharacterPage");
