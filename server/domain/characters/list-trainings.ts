import type { Ctx } from "../../context";
import { int4, int8, nullable, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { toEuros, toEurosOrNull } from "../../lib/money";
import type { Status } from "../generations/transitions";
import type { Character } from "./character";

const MAX_TRAININGS = 20;

const trainingColumns = {
  id: uuid,
  status: textOf<Status>(),
  estimated_cost: int8,
  billed_cost: nullable(int8),
  created_at: timestamptz,
  completed_at: nullable(timestamptz),
};

export type Training = RowOf<typeof trainingColumns>;

/** Returns the newest trainings of the account's character, newest first. */
export const listTrainings = (ctx: Ctx, { id }: Pick<Character, "id">): Promise<Training[]> =>
  selectTrainings(ctx.hub.db, id, ctx.account.id);

const selectTrainings = statement({
  params: [int4, int4],
  row: trainingColumns,
  text: `
    SELECT ${columnList(trainingColumns, "g")}
    FROM generation g WHERE character_id = $1 AND account_id = $2 ORDER BY character_version DESC LIMIT ${MAX_TRAININGS}`,
});

/** Returns a training as the console shows it. */
export const serializeTraining = ({ estimated_cost, billed_cost, created_at, completed_at, ...rest }: Training) => ({
  ...rest,
  estimated_cost: toEuros(estimated_cost),
  billed_cost: toEurosOrNull(billed_cost),
  created_at: created_at.toISOString(),
  completed_at: completed_at?.toISOString() ?? null,
});
