import type { Ctx } from "../../context";
import { bool, int4, int8, notNull, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccountSql } from "./account-sql";
import type { AccountsHub } from "./hub";

/** Claims the trial credit due to the accounts that the person `$1` owns. They stay locked until the transaction ends. */
export const claimSignUpCredit = statement({
  params: [int4],
  row: { id: int4, amount: notNull(int8) },
  text: `
    WITH locked AS MATERIALIZED (
      SELECT id, sign_up_credit FROM account WHERE sign_up_credit IS NOT NULL
        AND id IN (SELECT account_id FROM membership WHERE person_id = $1 AND role = 'owner')
      ORDER BY id FOR UPDATE
    )
    UPDATE account SET sign_up_credit = NULL FROM locked WHERE account.id = locked.id
    RETURNING account.id, locked.sign_up_credit AS amount`,
});

/** Returns the trial credit that is due to the caller's account, if any, and whether the console's first steps are hidden. */
export const findWelcome = async ({ hub, account }: Ctx<AccountsHub>) => (await selectWelcome(hub.db, account.id))[0]!;

const selectWelcome = statement({
  params: [int4],
  row: { sign_up_credit: nullable(int8), hides_steps: bool },
  text: "SELECT sign_up_credit, first_steps_hidden_at IS NOT NULL AS hides_steps FROM account WHERE id = $1",
});

/** Hides the first steps of the console for the caller's account. */
export async function hideFirstSteps({ hub, account }: Ctx<AccountsHub>): Promise<void> {
  await updateFirstSteps(hub.db, account.id, hub.now());
}

const updateFirstSteps = statement({
  params: [int4, timestamptz],
  row: {},
  text: `UPDATE account SET first_steps_hidden_at = $2 WHERE id = ${lockAccountSql("$1")}`,
});
