import type { Queryable } from "../../db/client";
import { array, int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";

/** The end user of a generation before its erasure. */
interface Labelled {
  account_id: number;
  end_user: string | null;
}

/**
 * Erases the names of these generations' end users from alerts about budgets, which name who has spent most, and from their
 * events.
 */
export async function eraseAlertedUsers(tx: Queryable, generations: Labelled[]): Promise<void> {
  const named = generations.flatMap(({ account_id, end_user }) =>
    end_user === null ? [] : [{ account_id, end_user }],
  );
  if (named.length === 0) return;
  await eraseNames(tx, named.map(({ account_id }) => account_id), named.map(({ end_user }) => end_user)); // prettier-ignore
}

const eraseNames = statement({
  params: [array(int4), array(text)],
  row: {},
  text: `
    WITH named AS (
      SELECT DISTINCT account_id, end_user FROM unnest($1::int[], $2::text[]) AS named (account_id, end_user)
    ),
    reduced AS (
      UPDATE event e SET data = (e.data::jsonb || '{"end_user": null}')::text FROM named
      WHERE e.name = 'budget.threshold' AND e.account_id = named.account_id AND e.data::jsonb ->> 'end_user' = named.end_user
      RETURNING e.n
    ),
    -- What receivers of webhooks have answered, which may quote what they received.
    forgotten_answer AS (
      UPDATE delivery_attempt a SET response = NULL FROM reduced JOIN delivery d ON d.event_n = reduced.n
      WHERE a.delivery_id = d.id AND a.response IS NOT NULL
    )
    UPDATE alert_message m SET data = (m.data::jsonb || '{"end_user": null}')::json FROM named
    WHERE m.event = 'budget.threshold' AND m.account_id = named.account_id AND m.data ->> 'end_user' = named.end_user`,
});
