import { bookColumnsSql } from "../../catalogue/books/account-terms";
import type { HubRole, Role } from "../../context";
import { array, bool, int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";

/**
 * What a session still needs: a second factor at `verify`; setting one up at `enrol`, because one is required and the
 * person has none.
 */
export type SessionStage = "complete" | "verify" | "enrol";

const sessionColumns = {
  session_id: uuid,
  id: int4,
  email: text,
  name: nullable(text),
  member: bool,
  balance: int8,
  promotional: int8,
  reserved: int8,
  reply_retention_days: nullable(int4),
  closes_at: nullable(timestamptz),
  keeps_nothing: bool,
  book: nullable(text),
  month_volume: notNull(int8),
  person_id: int4,
  person_email: text,
  is_verified: bool,
  hub_role: nullable(textOf<HubRole>()),
  role: textOf<Role>(),
  last_seen_at: timestamptz,
  view_until: nullable(timestamptz),
  shows_content: nullable(bool),
  own_account_id: int4,
  stage: textOf<SessionStage>(),
  proved_at: nullable(timestamptz),
  pending_since: timestamptz,
};
/** A session, its person and the account that it acts for. */
export type SessionRow = RowOf<typeof sessionColumns>;

/** Returns SQL for whether the person with the id `person` has a second factor. */
export const hasFactorSql = (person: string) =>
  `(EXISTS (SELECT FROM passkey k WHERE k.person_id = ${person})
     OR EXISTS (SELECT FROM totp t WHERE t.person_id = ${person} AND t.secret IS NOT NULL))`;

// A suspended account can be viewed, but nobody acts for it. For a person with a second factor, only that factor counts as
// proof.
export const selectSessions = statement({
  params: [array(uuid), timestamptz, bool, array(text)],
  row: sessionColumns,
  text: `
    SELECT s.id AS session_id, a.id, a.email, a.name, a.member, a.balance, a.promotional, a.reserved, a.reply_retention_days, a.keeps_nothing, a.closes_at, p.id AS person_id,
           p.email AS person_email, p.email_verified_at IS NOT NULL AS is_verified, p.hub_role, m.role, s.last_seen_at,
           v.expires_at AS view_until, v.shows_content, own.id AS own_account_id,
           CASE WHEN NOT has_factor THEN CASE WHEN is_demanded THEN 'enrol' ELSE 'complete' END
                WHEN s.verified_at IS NULL AND (s.first_step = 'password' OR is_demanded) THEN 'verify'
                ELSE 'complete' END AS stage,
           CASE WHEN has_factor THEN s.verified_at ELSE greatest(s.verified_at, s.first_step_at) END AS proved_at,
           coalesce(s.switched_at, s.created_at) AS pending_since,
           ${bookColumnsSql({ account: "a", now: "$2", discounting: "$4" })}
    FROM session s JOIN account own ON own.id = s.account_id AND own.session_version = s.version AND NOT own.suspended
    JOIN person p ON p.id = s.person_id AND p.session_version = s.person_version
    JOIN membership m ON m.account_id = own.id AND m.person_id = p.id
    CROSS JOIN LATERAL (
      SELECT own.requires_second_factor OR $3 OR p.hub_role IS NOT NULL AS is_demanded,
             ${hasFactorSql("s.person_id")} AS has_factor
    ) factor
    LEFT JOIN account_view v ON v.session_id = s.id AND v.ended_at IS NULL AND v.expires_at > $2 AND p.hub_role IS NOT NULL
    JOIN account a ON a.id = coalesce(v.account_id, own.id)
    WHERE s.id = ANY ($1)`,
});
