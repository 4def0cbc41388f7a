import { z } from "zod";
import { deletePreset, listPresets, MAX_PRESET_NAME_LENGTH, savePreset } from "../domain/presets";
import { byId, contentProcedure, procedure, router } from "./procedure";

const model = z.string().min(1).max(200);
const name = z
  .string()
  .trim()
  .min(1, "is required")
  .max(MAX_PRESET_NAME_LENGTH, `must have at most ${MAX_PRESET_NAME_LENGTH} characters`);

export const presets = router({
  list: contentProcedure.input(z.object({ model })).query(({ ctx, input }) => listPresets(ctx, input.model)),

  save: procedure("develop")
    .input(z.object({ model, name, input: z.record(z.string(), z.unknown()) }))
    .mutation(({ ctx, input }) => savePreset(ctx, input)),

  delete: procedure("develop")
    .input(byId)
    .mutation(({ ctx, input }) => deletePreset(ctx, input.id)),
});
