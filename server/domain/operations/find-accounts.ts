import { bool, int4, int8, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { parseAccountId } from "../accounts";
import { isId } from "../../lib/id";
import { toEuros } from "../../lib/money";
import type { OperationsHub } from "./hub";

const MAX_FOUND = 50;

const columns = {
  id: int4,
  email: text,
  name: nullable(text),
  member: bool,
  suspended: bool,
  balance: int8,
  reserved: int8,
  created_at: timestamptz,
};

/** Returns a page of all accounts, newest first; `next` is null on the last one. */
export async function listAllAccounts(hub: OperationsHub, before: number | null, limit: number) {
  const rows = await selectAccounts(hub.db, before, limit + 1);
  const page = rows.slice(0, limit).map(serializeAccountRow);
  return { data: page, next: rows.length > limit ? page.at(-1)!.id : null };
}

const serializeAccountRow = ({ balance, reserved, created_at, ...account }: RowOf<typeof columns>) => ({
  ...account,
  balance: toEuros(balance),
  held: toEuros(reserved),
  created_at: created_at.toISOString(),
});

const columnsSql = "a.id, a.email, a.name, a.member, a.suspended, a.balance, a.reserved, a.created_at";

const selectAccounts = statement({
  params: [nullable(int4), int8Number],
  row: columns,
  text: `SELECT ${columnsSql} FROM account a WHERE $1::integer IS NULL OR a.id < $1 ORDER BY a.id DESC LIMIT $2`,
});

/**
 * Returns up to 50 accounts that match a search: by the beginning of the account's name, or of its or a member's e-mail
 * address, the domain of its address ("@example.org"), its id, the beginning of a key ("service_sk_ab…"), or the id of a
 * generation.
 */
export async function findAccounts(hub: OperationsHub, searched: string) {
  const query = searched.trim().toLowerCase();
  if (query === "") return [];
  const generation = isId(query) ? query : null;
  const domain = query.startsWith("@") ? `${escapeLike([...query].reverse().join(""))}%` : null;
  // Keys are case-sensitive.
  const prefix = `${escapeLike(searched.trim().replace(/…$/, ""))}%`;
  const rows = await selectFound(hub.db, `${escapeLike(query)}%`, domain, parseAccountId(query), prefix, generation);
  return rows.map(serializeAccountRow);
}

/** Escapes a text for a LIKE pattern. */
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

// Each branch uses a separate index and returns a bounded number of rows.
const selectFound = statement({
  params: [text, nullable(text), nullable(int4), text, nullable(uuid)],
  row: columns,
  text: `
    WITH found AS (
      (SELECT id FROM account WHERE email LIKE $1 ORDER BY email LIMIT ${MAX_FOUND})
      UNION (SELECT id FROM account WHERE lower(name) LIKE $1 LIMIT ${MAX_FOUND})
      UNION (SELECT id FROM account WHERE $2::text IS NOT NULL AND reverse(email) LIKE $2 LIMIT ${MAX_FOUND})
      UNION (SELECT m.account_id FROM person p JOIN membership m ON m.person_id = p.id WHERE p.email LIKE $1 LIMIT ${MAX_FOUND})
      UNION SELECT id FROM account WHERE id = $3
      UNION (SELECT account_id FROM api_key WHERE char_length($4) > 4 AND prefix LIKE $4 LIMIT ${MAX_FOUND})
      UNION SELECT account_id FROM generation WHERE id = $5
    )
    SELECT ${columnsSql} FROM account a JOIN found ON found.id = a.id ORDER BY a.id DESC LIMIT ${MAX_FOUND}`,
});
