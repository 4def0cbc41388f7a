import { z } from "zod";
import { characterActions } from "../actions/characters";
import {
  CharacterChanges,
  getDisplayedCharacter,
  listBaseModels,
  listDisplayedCharacters,
  listTrainings,
  listUsable,
  offerResume,
  serializeDisplayed,
  serializeTraining,
} from "../domain/characters";
import { byId, contentProcedure, cursor, mutationOf, procedure, router } from "./procedure";

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

  create: mutationOf(characterActions.create),

  update: procedure(characterActions.update.access)
    .input(byId.extend({ changes: CharacterChanges }))
    .mutation(({ ctx, input: { id, changes } }) => characterActions.update.run(ctx, { ...changes, id })),

  delete: mutationOf(characterActions.delete),
  start: mutationOf(characterActions.start),
  resume: mutationOf(characterActions.resume),
  cancel: mutationOf(characterActions.cancel),
});
