import type { Queryable } from "../../../db/client";
import { text, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { TURN_COST } from "../../accounts/sql";
import type { QueueHub } from "./hub";

/**
 * Returns SQL for the turn of an account at a provider: the account with the lowest is next. An account that was idle starts at
 * most one place ahead of the account that took most, so that it does not make up for the time it was idle (decision 121).
 */
export const turnSql = (provider: string, accountId: string): string => `
  greatest((SELECT turn FROM provider_turn WHERE provider = ${provider} AND account_id = ${accountId}),
           (SELECT max(turn) - ${TURN_COST} FROM provider_turn WHERE provider = ${provider}), 0)`;

/**
 * Counts a place that a generation takes for its account, in the transaction that has locked the provider. Does nothing while no
 * generation waits.
 */
export async function countPlace(hub: QueueHub, tx: Queryable, provider: string, generationId: string): Promise<void> {
  if (hub.services.routeWaits.exist) await advanceTurn(tx, provider, generationId);
}

const advanceTurn = statement({
  params: [text, uuid],
  row: {},
  text: `
    INSERT INTO provider_turn (provider, account_id, turn)
    SELECT $1, a.id, ${turnSql("$1", "a.id")} + ${TURN_COST} / a.weight
    FROM generation g JOIN account a ON a.id = g.account_id WHERE g.id = $2
    ON CONFLICT (provider, account_id) DO UPDATE SET turn = excluded.turn`,
});
