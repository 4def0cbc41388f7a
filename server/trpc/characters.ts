import { z } from "zod";
import { createCharacter, deleteCharacter, updateCharacter } from "../domain/characters/edit-character";
import { offerResume } from "../domain/characters/resume-state";
import { listBaseModels } from "../domain/characters/base-model";
import { cancelCharacter, resumeCharacter, startCharacter } from "../domain/characters/training";
import type { Character } from "../domain/characters/character";
import { CharacterChanges, CharacterInput, StartInput } from "../domain/characters/input";
import { listTrainings, serializeTraining } from "../domain/characters/list-trainings";
import { listUsable } from "../domain/characters/list-usable";
import { serializeCharacter } from "../domain/characters/serialize-character";
import {
  getDisplayedCharacter,
  listDisplayedCharacters,
  serializeDisplayed,
} from "../domain/characters/displayed-character";
import { serializeGeneration } from "../domain/generations/read/serialize-generation";
import { byId, contentProcedure, cursor, procedure, router, type Session } from "./procedure";

const PAGE = 20;

export const characters = router({
  list: contentProcedure.input(z.object({ cursor })).query(async ({ ctx, input }) => {
    const page = { ...input, limit: PAGE };
    const { data, next_cursor } = await listDisplayedCharacters(ctx, page);
    return { data: data.map((character) => serializeDisplayed(ctx, character)), next_cursor };
  }),

  /** Returns a character with its trainings, and the price of resuming it. */
  get: contentProcedure.input(byId).query(async ({ ctx, input }) => {
    const character = await getDisplayedCharacter(ctx, input.id);
    const [trainings, resume] = await Promise.all([listTrainings(ctx, character), offerResume(ctx, character)]);
    return { ...serializeDisplayed(ctx, character), trainings: trainings.map(serializeTraining), resume };
  }),

  /** Returns the characters that an input of this model accepts. */
  usable: contentProcedure
    .input(z.object({ model: z.string().max(200) }))
    .query(({ ctx, input }) => listUsable(ctx, input.model)),

  baseModels: procedure("read").query(({ ctx }) => listBaseModels(ctx)),

  create: procedure("develop")
    .input(CharacterInput)
    .mutation(({ ctx, input }) => serializeAwaited(ctx, createCharacter(ctx, input))),

  update: procedure("develop")
    .input(byId.extend({ changes: CharacterChanges }))
    .mutation(({ ctx, input: { id, changes } }) => serializeAwaited(ctx, updateCharacter(ctx, id, changes))),

  delete: procedure("develop")
    .input(byId)
    .mutation(({ ctx, input }) => deleteCharacter(ctx, input.id)),

  start: procedure("develop")
    .input(byId.extend(StartInput.shape))
    .mutation(({ ctx, input: { id, parameters, max_cost: maxCost } }) =>
      serializeAwaited(ctx, startCharacter(ctx, id, { parameters, maxCost })),
    ),

  resume: procedure("develop")
    .input(byId)
    .mutation(({ ctx, input }) => serializeAwaited(ctx, resumeCharacter(ctx, input.id))),

  /** Returns the canceled generation. */
  cancel: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => serializeGeneration(ctx.hub, await cancelCharacter(ctx, input.id))),
});

const serializeAwaited = async (ctx: Session, character: Promise<Character>) =>
  serializeCharacter(ctx, await character);
