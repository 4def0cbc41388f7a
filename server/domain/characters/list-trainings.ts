import type { Ctx } from "../../context";
import { type Nano, toEuros, toEurosOrNull } from "../../lib/money";
import type { Status } from "../generations/transitions";
import type { Character } from "./character";

const MAX_TRAININGS = 20;

export interface Training {
  id: string;
  status: Status;
  estimated_cost: Nano;
  billed_cost: Nano | null;
  created_at: Date;
  completed_at: Date | null;
}

/** Returns the newest trainings of the account's character, newest first. */
export const listTrainings = (ctx: Ctx, { id }: Pick<Character, "id">): Promise<Training[]> =>
  ctx.hub.db.query<Training>(
    `SELECT id, status, estimated_cost, billed_cost, created_at, completed_at
     FROM generation WHERE character_id = $1 AND account_id = $2 ORDER BY character_version DESC LIMIT ${MAX_TRAININGS}`,
    [id, ctx.account.id],
  );

/** Returns a training as the console shows it. */
export const serializeTraining = ({ estimated_cost, billed_cost, created_at, completed_at, ...rest }: Training) => ({
  ...rest,
  estimated_cost: toEuros(estimated_cost),
  billed_cost: toEurosOrNull(billed_cost),
  created_at: created_at.toISOString(),
  completed_at: completed_at?.toISOString() ?? null,
});
