import type { Ctx, HubParts } from "../../../context";
import { int4, int8Number, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { setReplyRetention } from "../../accounts";
import { keptReplyDaysSql } from "../../accounts/sql";

/**
 * SQL that stores the replies of chats at the time `:now`. Needs the CTEs `ending (id, reply)`, `ended` and `paid`.
 */
export const keepRepliesSql = `
  -- The replies. The locked account decides, because it may have stopped keeping them since the chat began.
  kept AS (
    INSERT INTO chat_reply (generation_id, account_id, choices, created_at)
    SELECT ended.id, ended.account_id, ending.reply, :now
    FROM ended JOIN ending USING (id) JOIN paid USING (account_id)
    WHERE ending.reply IS NOT NULL AND paid.reply_retention_days IS NOT NULL
  )`;

const keptChatColumns = {
  /** The `choices` of the completion as JSON text; null if the reply is not stored. */
  choices: nullable(text),
  /** When the reply is deleted. */
  deleted_at: nullable(timestamptz),
};

export type KeptChat = RowOf<typeof keptChatColumns>;

/** Returns the reply of a chat of the account if it is stored; undefined for an unknown id. */
export const findKeptChat = async (
  { hub, account }: Ctx<Pick<HubParts, "db" | "env" | "now">>,
  id: string,
): Promise<KeptChat | undefined> =>
  (await selectKeptChat(hub.db, id, account.id, hub.now(), hub.env.RETENTION_REPLY_DAYS))[0];

// A reply that has outlived its account's settings is not shown, even before it is deleted.
const selectKeptChat = statement({
  params: [uuid, int4, timestamptz, int4],
  row: keptChatColumns,
  text: `
    SELECT r.choices, r.deleted_at
    FROM generation g LEFT JOIN LATERAL (
      SELECT reply.choices, least(
               reply.created_at + make_interval(hours => 24 * (${keptReplyDaysSql("a", "$4")})),
               g.created_at + make_interval(hours => 24 * s.output_days)) AS deleted_at
      FROM chat_reply reply JOIN account a ON a.id = reply.account_id LEFT JOIN account_retention s ON s.account_id = a.id
      WHERE reply.generation_id = g.id AND a.reply_retention_days IS NOT NULL
    ) r ON r.deleted_at > $3
    WHERE g.id = $1 AND g.account_id = $2`,
});

const MAX_PER_STATEMENT = 5_000;

/**
 * Sets for how many days the account keeps replies of chats; null for not at all, which deletes those that are stored.
 * The account's row is not locked meanwhile, so that its chats go on.
 */
export async function changeReplyRetention(
  { hub, account }: Ctx<Pick<HubParts, "db" | "now">>,
  days: number | null,
): Promise<void> {
  const now = hub.now();
  await setReplyRetention(hub.db, account.id, days);
  if (days !== null) return;
  for (let deleted = MAX_PER_STATEMENT; deleted === MAX_PER_STATEMENT;) {
    deleted = (await deleteReplies(hub.db, account.id, now, MAX_PER_STATEMENT)).length;
  }
}

const deleteReplies = statement({
  params: [int4, timestamptz, int8Number],
  row: { generation_id: uuid },
  text: `
    DELETE FROM chat_reply WHERE generation_id IN (
      SELECT generation_id FROM chat_reply WHERE account_id = $1 AND created_at <= $2 LIMIT $3)
    RETURNING generation_id`,
});

/** Deletes up to `limit` replies of each account that are older than the account or the hub keeps them. Returns how many. */
export const purgeReplies = async (hub: Pick<HubParts, "db" | "env" | "now">, limit: number): Promise<number> =>
  (await deleteExpiredReplies(hub.db, hub.now(), limit, hub.env.RETENTION_REPLY_DAYS)).length;

// Finds the accounts with replies by one index lookup each, so that kept replies cost nothing.
const deleteExpiredReplies = statement({
  params: [timestamptz, int8Number, int4],
  row: { generation_id: uuid },
  text: `
    WITH RECURSIVE owner AS (
      SELECT min(account_id) AS id FROM chat_reply
      UNION ALL
      SELECT (SELECT min(account_id) FROM chat_reply WHERE account_id > owner.id) FROM owner WHERE owner.id IS NOT NULL
    ),
    expired AS MATERIALIZED (
      SELECT r.generation_id FROM owner JOIN account a ON a.id = owner.id CROSS JOIN LATERAL (
        SELECT generation_id FROM chat_reply
        WHERE account_id = a.id AND created_at <= $1::timestamptz - make_interval(hours => 24 * coalesce(${keptReplyDaysSql("a", "$3")}, 0))
        ORDER BY created_at LIMIT $2
      ) r
    )
    DELETE FROM chat_reply r USING expired WHERE r.generation_id = expired.generation_id RETURNING r.generation_id`,
});
