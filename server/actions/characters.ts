import {
  cancelCharacter,
  CharacterChanges,
  CharacterInput,
  createCharacter,
  deleteCharacter,
  resumeCharacter,
  serializeCharacter,
  startCharacter,
  StartInput,
  updateCharacter,
} from "../domain/characters";
import { withLabels } from "../domain/labels";
import { serializeGeneration } from "../domain/generations/read";
import { withRetention } from "../domain/retention";
import { defineAction, defineItemAction } from "./action";

const change = { access: "develop", cost: "write" } as const;

export const characterActions = {
  create: defineAction({
    ...change,
    body: CharacterInput,
    run: async (ctx, body) => serializeCharacter(ctx, await createCharacter(ctx, body)),
  }),

  update: defineItemAction({
    ...change,
    body: CharacterChanges,
    run: async (ctx, { id, ...changes }) => serializeCharacter(ctx, await updateCharacter(ctx, id, changes)),
  }),

  delete: defineItemAction({ ...change, run: (ctx, { id }) => deleteCharacter(ctx, id) }),

  start: defineItemAction({
    ...change,
    body: StartInput,
    run: async (ctx, { id, parameters, max_cost: maxCost, webhook, metadata, end_user: endUser, retention }) =>
      serializeCharacter(
        ctx,
        await startCharacter(withRetention(withLabels(ctx, { metadata, endUser }), retention), id, {
          parameters,
          maxCost,
          webhook,
        }),
      ),
  }),

  resume: defineItemAction({
    ...change,
    run: async (ctx, { id }) => serializeCharacter(ctx, await resumeCharacter(ctx, id)),
  }),

  /** Returns the canceled generation. */
  cancel: defineItemAction({
    ...change,
    run: async (ctx, { id }) => serializeGeneration(ctx.hub, await cancelCharacter(ctx, id)),
  }),
};
