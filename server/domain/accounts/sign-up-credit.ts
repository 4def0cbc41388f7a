import type { Ctx } from "../../context";
import { bool, int4, int8, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Verifies an account's e-mail address. Returns its due trial credit, which is no longer due; null if none was. */
export const claimSignUpCredit = statement({
  params: [int4, timestamptz],
  row: { amount: nullable(int8) },
  text: `
    WITH locked AS MATERIALIZED (SELECT id, sign_up_credit FROM account WHERE id = $1 FOR NO KEY UPDATE)
    UPDATE account SET sign_up_credit = NULL, email_verified_at = coalesce(email_verified_at, $2)
    FROM locked WHERE account.id = locked.id
    RETURNING locked.sign_up_credit AS amount`,
});

/** Returns the caller's due trial credit, null if none is, and whether the first steps of the console are hidden. */
export async function findWelcome({ hub, account }: Ctx) {
  const [row] = await selectWelcome(hub.db, account.id);
  return row!;
}

const selectWelcome = statement({
  params: [int4],
  row: { sign_up_credit: nullable(int8), hides_steps: bool },
  text: "SELECT sign_up_credit, first_steps_hidden_at IS NOT NULL AS hides_steps FROM account WHERE id = $1",
});

/** Hides the first steps of the console for the caller's account. */
export async function hideFirstSteps({ hub, account }: Ctx): Promise<void> {
  await updateFirstSteps(hub.db, account.id, hub.now());
}

const updateFirstSteps = statement({
  params: [int4, timestamptz],
  row: {},
  text: "UPDATE account SET first_steps_hidden_at = $2 WHERE id = $1",
});
