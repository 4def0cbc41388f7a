import type { Ctx, HubParts } from "../../context";
import { bool, int4, jsonb, jsonbText, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isId, newId } from "../../lib/id";

/** The parts of the hub that presets use. */
type PresetsHub = Pick<HubParts, "db" | "now">;

export const MAX_PRESET_NAME_LENGTH = 60;
const MAX_PRESETS = 200;
/** As Postgres writes JSON: with spaces, and with all digits of a number such as 1e300. */
const MAX_INPUT_BYTES = 128 * 1024;

/** Returns the account's presets of a model, by name. */
export const listPresets = ({ hub, account }: Ctx<PresetsHub>, model: string) =>
  selectPresets(hub.db, account.id, model);

const selectPresets = statement({
  params: [int4, text],
  row: { id: uuid, name: text, input: jsonb<Record<string, unknown>>() },
  text: "SELECT id, name, input FROM input_preset WHERE account_id = $1 AND model = $2 ORDER BY name",
});

interface PresetRequest {
  model: string;
  name: string;
  input: Record<string, unknown>;
}

/**
 * Saves an input under a name, in place of the model's preset of this name. Throws a 400 for a large input and a 409 for the
 * 201st preset.
 */
export async function savePreset(
  { hub, account }: Ctx<PresetsHub>,
  { model, name, input }: PresetRequest,
): Promise<void> {
  const json = JSON.stringify(input);
  const [outcome] = await upsertPreset(hub.db, newId(), account.id, model, name, json, hub.now());
  if (!outcome?.is_small) throw invalidInput("input", "is too large to save.");
  if (!outcome.is_saved)
    throw new AppError("invalid_state", `An account can have ${MAX_PRESETS} presets. Delete one first.`);
}

const upsertPreset = statement({
  params: [uuid, int4, text, text, jsonbText, timestamptz],
  row: { is_saved: bool, is_small: bool },
  text: `
    WITH saved AS (
      INSERT INTO input_preset (id, account_id, model, name, input, created_at)
      SELECT $1, $2, $3, $4, $5, $6
      WHERE (SELECT count(*) FROM input_preset WHERE account_id = $2 AND (model, name) <> ($3, $4)) < ${MAX_PRESETS}
        AND octet_length($5::jsonb::text) <= ${MAX_INPUT_BYTES}
      ON CONFLICT (account_id, model, name) DO UPDATE SET input = EXCLUDED.input, created_at = EXCLUDED.created_at
      RETURNING id
    )
    SELECT EXISTS (SELECT FROM saved) AS is_saved, octet_length($5::jsonb::text) <= ${MAX_INPUT_BYTES} AS is_small`,
});

/** Deletes a preset of the account. Throws a 404 if there is none. */
export async function deletePreset({ hub, account }: Ctx<PresetsHub>, id: string): Promise<void> {
  const deleted = isId(id) ? await removePreset(hub.db, id, account.id) : [];
  if (deleted.length === 0) throw new AppError("resource_not_found", "There is no such preset.");
}

const removePreset = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "DELETE FROM input_preset WHERE id = $1 AND account_id = $2 RETURNING id",
});
