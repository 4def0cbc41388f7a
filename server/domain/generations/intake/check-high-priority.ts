import type { Ctx } from "../../../context";
import { int4, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { invalidInput } from "../../../errors";
import type { IntakeHub } from "./hub";

/** Throws a 400 if the caller's API key may not use the priority `high`. */
export async function checkHighPriority({ hub, account, actor }: Ctx<Pick<IntakeHub, "db">>): Promise<void> {
  const [denied] = actor.kind === "key" ? await selectDenied(hub.db, actor.id, account.id) : [];
  if (denied) throw invalidInput("priority", "must not be `high` for this API key (`allow_high_priority` is false)");
}

const selectDenied = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "SELECT id FROM api_key WHERE id = $1 AND account_id = $2 AND NOT allow_high_priority",
});
