import { z } from "@hono/zod-openapi";
import { statuses } from "../../domain/characters";
import { Failure, missing, progress } from "./generation";
import { currency, euros, input, modelId, nextCursor, orNull, page, time, uuid } from "./values";

/** The character that the API description shows: one that is trained. */
const exampleCharacter = {
  id: 7,
  name: "Ada",
  status: "ready",
  base_model: "sandbox-trainer",
  trigger_word: "ada42",
  images: ["sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  parameters: { steps: 20 },
  estimated_cost: 0.06,
  billed_cost: 0.0021,
  currency: "EUR",
  progress: 1,
  missing: [],
  error: null,
  generation_id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  model: "sandbox-image",
  created_at: "2026-11-21T08:00:00.000Z",
  updated_at: "2026-11-21T08:01:00.000Z",
};

const untrained = { ...exampleCharacter, billed_cost: null, progress: null, model: null };

/** The same character before its training. */
export const draftCharacter = { ...untrained, status: "draft", generation_id: null };

/** The same character when its training has been accepted. */
export const queuedCharacter = { ...untrained, status: "queued" };

/** Specification, section 2.10, with the fields of the contract. */
export const Character = z
  .object({
    id: z.int().openapi({ format: "int32", example: 7 }),
    name: z.string(),
    status: z.enum(statuses).openapi("CharacterStatus"),
    base_model: modelId,
    trigger_word: z.string().nullable(),
    images: z.array(z.string()),
    parameters: input.openapi({ description: "Other parameters of the base model" }),
    estimated_cost: euros.nullable().openapi({
      description:
        "Estimate of the newest training; for a draft, what starting it would hold, or null if its model is unavailable",
    }),
    billed_cost: euros.nullable().openapi({ description: "Cost of all trainings in EUR; null until one is billed" }),
    currency,
    progress,
    missing,
    error: orNull(Failure),
    generation_id: uuid.nullable().openapi({ description: "Generation of the newest training" }),
    model: modelId.nullable().openapi({
      description: "Model that accepts the id of this character as `input.character`; null until it is ready",
    }),
    created_at: time,
    updated_at: time,
  })
  .openapi("Character", { example: exampleCharacter });

export const CharacterQuery = z.object(page());

export const CharacterPage = z
  .object({
    data: z.array(Character).openapi({ description: "Newest first" }),
    next_cursor: nextCursor,
  })
  .openapi("CharacterPage");
