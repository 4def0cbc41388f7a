import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { isId } from "../../lib/id";
import { parseSha256Ref } from "../files/parse-sha256-ref";
import { parseOwnFileUrl } from "../files/parse-own-file-url";
import { rejectInput, type Root } from "../models/reject-input";
import { ownedFileSql, type Missing } from "./missing";
import type { FileReference } from "./file-references";

const MAX_FILES = 1_000;

/**
 * The contents among these that the account does not hold at this time, each once. Outside addresses are never missing.
 * 400 `invalid_input` for a file URL of ours that is not the account's, or no longer: it would never arrive.
 */
export async function findMissing(
  ctx: Ctx,
  named: FileReference[],
  at: Date,
  root: Root = "input",
): Promise<Missing[]> {
  const kinds = new Map<string, string>();
  const own: { place: string; id: string }[] = [];
  for (const { place, kind, text } of named) {
    const hash = parseSha256Ref(text);
    const id = hash === null ? parseOwnFileUrl(ctx.hub, text)?.toLowerCase() : undefined;
    if (hash !== null && !kinds.has(hash)) kinds.set(hash, kind);
    if (id !== undefined) own.push({ place, id });
  }
  const ids = new Set(own.map(({ id }) => id));
  if (kinds.size + ids.size === 0) return [];
  if (kinds.size + ids.size > MAX_FILES) throw invalidInput("input", `may name at most ${MAX_FILES} files`);

  const values = [ctx.account.id, [...kinds.keys()], [...ids].filter(isId), at];
  const rows = await ctx.db.query<{ name: string; held: boolean }>(statement, values);
  const known = new Map(rows.map(({ name, held }) => [name, held]));
  const faults = own
    .filter(({ id }) => !known.get(id))
    .map(({ place, id }) => [place, faultOf(known.has(id))] as const);
  if (faults.length > 0) rejectInput(root, faults);
  return [...kinds].filter(([hash]) => !known.get(hash)).map(([sha256, kind]) => ({ sha256, kind }));
}

const faultOf = (expired: boolean) =>
  expired ? "the file has expired: upload it again" : "names no file of this account";

const statement = `
  SELECT name, ${ownedFileSql({ account: "$1", sha256: "decode(name, 'hex')", at: "$4" })} AS held FROM unnest($2::text[]) AS name
  UNION ALL
  SELECT f.id::text, f.removed_at IS NULL AND f.expires_at > $4
  FROM file f WHERE f.account_id = $1 AND f.id = ANY ($3::uuid[]) AND f.stored_at IS NOT NULL`;
