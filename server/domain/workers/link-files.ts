import type { Hub } from "../../context";
import { isId } from "../../lib/id";
import { InputUnavailable } from "../../providers/input-unavailable";
import { expiredSql } from "../files/in-use";
import { ownFileId } from "../files/own-file-id";
import { signLink } from "../files/sign";

const HASH = /^sha256:[0-9a-f]{64}$/;

/**
 * The input with a signed link, good until `expires`, in place of every file of the account that it names by address
 * or hash. Throws InputUnavailable when one is not there. Other addresses stay as they are.
 */
export async function linkFiles<T>(hub: Hub, accountId: number, input: T, expires: Date): Promise<T> {
  const named = new Set<string>();
  mapTexts(input, (text) => {
    const name = nameOf(hub, text);
    if (name !== null) named.add(name);
    return text;
  });
  if (named.size === 0) return input;
  const hashes = [...named].filter((name) => HASH.test(name));
  const ids = [...named].filter((name) => isId(name));
  const values = [accountId, ids, hashes.map((hash) => Buffer.from(hash.slice(7), "hex")), hub.now()];
  const rows = await hub.db.query<{ name: string; id: string; expired: boolean }>(statement, values);
  const files = new Map(rows.map((row) => [row.name, row]));
  return mapTexts(input, (text) => {
    const name = nameOf(hub, text);
    if (name === null) return text;
    const file = files.get(name);
    if (!file || file.expired) throw new InputUnavailable(`An input file ${file ? "has expired" : "does not exist"}.`);
    return signLink(hub, file.id, expires);
  }) as T;
}

const nameOf = (hub: Hub, text: string): string | null =>
  HASH.test(text) ? text : (ownFileId(hub, text)?.toLowerCase() ?? null);

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]));
}

const statement = `
  SELECT f.id::text AS name, f.id, ${expiredSql("$4")} AS expired FROM file f
  WHERE f.account_id = $1 AND f.id = ANY ($2::uuid[]) AND f.stored_at IS NOT NULL
  UNION ALL
  SELECT name, id, expired FROM (
    SELECT DISTINCT ON (f.sha256) 'sha256:' || encode(f.sha256, 'hex') AS name, f.id, ${expiredSql("$4")} AS expired
    FROM file f
    WHERE f.account_id = $1 AND f.sha256 = ANY ($3::bytea[]) AND f.stored_at IS NOT NULL AND f.removed_at IS NULL
    ORDER BY f.sha256, f.expires_at DESC
  ) held`;
