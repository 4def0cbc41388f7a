import type { Ctx } from "../../context";
import { int4, int8, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import { revokeKey } from "../keys";
import { periodSql } from "../keys/sql";
import type { ConnectionsHub } from "./hub";
import { describeRedirectUri } from "./redirect-uri";

const MAX_CONNECTIONS = 500;

const columns = {
  id: uuid,
  name: text,
  client_id: text,
  redirect_uri: text,
  created_at: timestamptz,
  expires_at: notNull(timestamptz),
  last_used_at: nullable(timestamptz),
  spend_limit: notNull(int8),
  spent: int8,
};

/** Returns the apps that are connected to the account now, newest first. Their ids are those of their keys. */
export const listConnections = ({ hub, account }: Ctx<ConnectionsHub>): Promise<RowOf<typeof columns>[]> =>
  selectConnections(hub.db, account.id, hub.now());

/** Returns a connection for the console. */
export const serializeConnection = (connection: RowOf<typeof columns>) => ({
  id: connection.id,
  name: connection.name,
  host: connection.client_id.startsWith("https://") ? new URL(connection.client_id).host : null,
  redirect: describeRedirectUri(connection.redirect_uri),
  created_at: connection.created_at.toISOString(),
  expires_at: connection.expires_at.toISOString(),
  last_used_at: connection.last_used_at?.toISOString() ?? null,
  spend_limit: toEuros(connection.spend_limit),
  spent: toEuros(connection.spent),
});

/** Ends a connection from its next call on. Throws a 404 if it is not the account's, or already ended. */
export const endConnection = (ctx: Ctx<ConnectionsHub>, id: string): Promise<void> => revokeKey(ctx, id, "mcp");

const selectConnections = statement({
  params: [int4, timestamptz],
  row: columns,
  text: `
    SELECT k.id, k.name, c.client_id, c.redirect_uri, k.created_at, k.expires_at, k.last_used_at, k.spend_limit,
           coalesce(s.reserved + s.charged, 0)::bigint AS spent
    FROM connection c JOIN api_key k ON k.id = c.key_id
    LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "$2::timestamptz")}
    WHERE c.account_id = $1 AND k.revoked_at IS NULL AND k.expires_at > $2
    ORDER BY c.id DESC LIMIT ${MAX_CONNECTIONS}`,
});
