import { asObject, isObject } from "../../lib/is-object";
import { type Schema, subschemas } from "../../catalogue/subschemas";
import { type Ctx, onlyKeyOf } from "../../context";
import { array, bool, int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { memoizePer } from "../../lib/memoize-per";
import { hasContentSql, isFileOfKeySql } from "../files/sql";
import { parseOwnFileUrl, parseSha256Ref } from "../input-files";
import { rejectInput, type Root } from "../model-inputs";
import type { ReferencesHub } from "./hub";

/** A string at a place of the input where the schema expects a file. */
export interface FileReference {
  /** Path in the input, such as `image_input.0`. */
  place: string;
  /** Name of the top-level parameter. */
  kind: string;
  text: string;
}

/** Returns the values at `format: uri`, in the schema's order. The input must be valid for the schema. */
export function findFileReferences(schema: Schema, input: Record<string, unknown>): FileReference[] {
  const found = new Map<string, FileReference>();
  collectReferences(schema, input, [], found);
  return [...found.values()];
}

function collectReferences(schema: Schema, value: unknown, path: string[], found: Map<string, FileReference>): void {
  if (!acceptsFiles(schema)) return;
  if (schema.format === "uri" && typeof value === "string") {
    const place = path.join(".");
    found.set(place, { place, kind: path[0]!, text: value });
  }
  for (const { path: keywordPath, schema: inner } of applicableSubschemas(schema)) {
    for (const [keys, part] of selectParts(schema, keywordPath, value))
      collectReferences(inner as Schema, part, [...path, ...keys], found);
  }
}

const acceptsFiles = memoizePer(
  (schema: Schema): boolean =>
    schema.format === "uri" || applicableSubschemas(schema).some(({ schema }) => acceptsFiles(schema as Schema)),
);

// A subschema under `not` describes values that are rejected.
const applicableSubschemas = (schema: Schema) =>
  subschemas(schema).filter(({ schema, negated }) => isObject(schema) && !negated);

/** Returns the parts of a value to which the subschema under this keyword applies, each with its path. */
function selectParts(schema: Schema, [keyword, name]: (string | number)[], value: unknown): [string[], unknown][] {
  if (keyword === "items") return Array.isArray(value) ? value.map((item, index) => [[String(index)], item]) : [];
  if (keyword !== "properties" && keyword !== "additionalProperties") return [[[], value]];
  if (!isObject(value)) return [];
  if (keyword === "properties") return Object.hasOwn(value, name!) ? [[[String(name)], value[name!]]] : [];
  const known = asObject(schema.properties);
  return Object.entries(value)
    .filter(([key]) => !Object.hasOwn(known, key))
    .map(([key, inner]) => [[key], inner]);
}

const MAX_OUTSIDE_INPUTS = 100;

/** Returns the distinct external URLs among the file references of an input. */
export const findOutsideInputs = (hub: ReferencesHub, references: FileReference[]): string[] => [
  ...new Set(
    references
      .map(({ text }) => text)
      .filter((text) => parseSha256Ref(text) === null && parseOwnFileUrl(hub, text) === null),
  ),
];

/** Returns the external URLs of a new input, undefined when it has none. Throws a 400 `invalid_input` for too many. */
export function checkOutsideInputs(
  hub: ReferencesHub,
  references: FileReference[],
  root: Root = "input",
): string[] | undefined {
  const outside = findOutsideInputs(hub, references);
  if (outside.length > MAX_OUTSIDE_INPUTS) {
    const { place } = references.find(({ text }) => text === outside[MAX_OUTSIDE_INPUTS])!;
    rejectInput(root, [[place, `exceeds the limit of ${MAX_OUTSIDE_INPUTS} external URLs`]]);
  }
  return outside.length > 0 ? outside : undefined;
}

/** Content that a generation needs and its account does not have, with the first parameter that refers to it. */
export interface Missing {
  /** Lower-case hexadecimal. */
  sha256: string;
  kind: string;
}

interface ContentSql {
  account: string;
  sha256: string;
  /** When the generation that needs it was accepted. */
  at: string;
  /** The only key whose files count; if absent, all files of the account count. */
  key?: string;
}

/**
 * Returns SQL for whether the account has this content for a generation accepted `at` that time. A file that had not
 * expired then lasts until the generation is settled, because the generation refers to it; an expired file that only
 * another generation keeps does not count.
 */
const ownedFileSql = ({ account, sha256, at, key }: ContentSql): string => `EXISTS (
  SELECT FROM file f
  WHERE f.account_id = ${account} AND f.sha256 = ${sha256}
    AND ${hasContentSql("f")} AND f.expires_at > ${at}${key ? ` AND ${isFileOfKeySql(key)}` : ""})`;

const missingItem = { account: "g.account_id", sha256: "decode(item ->> 'sha256', 'hex')", at: "g.created_at" };

/** SQL for the FROM and WHERE clauses of the content that the waiting generation `g` still misses: `item`, ordered by `n`. */
export const missingInputsSql = `
  FROM jsonb_array_elements(g.missing) WITH ORDINALITY AS list (item, n) WHERE NOT ${ownedFileSql(missingItem)}`;

/** SQL for the column `missing` of the generation `g`: what it misses now, or missed when it ended. */
export const missingSql = `coalesce(CASE g.status
    WHEN 'awaiting_supply' THEN (SELECT jsonb_agg(item ORDER BY n) ${missingInputsSql}) ELSE g.missing END, '[]') AS missing`;

const MAX_FILES = 1_000;

/**
 * Returns the distinct SHA-256 references whose content the account does not have at the time `at`. External URLs are never
 * missing. Throws a 400 `invalid_input` for a file URL of this hub that is unknown, another account's or expired, because it
 * can never be supplied. If the key sees only its own files, throws it also for content that the key did not upload or
 * generate, because any file of the account would queue a generation that waits for it.
 */
export async function findMissing(
  ctx: Ctx<ReferencesHub>,
  references: FileReference[],
  at: Date,
  root: Root = "input",
): Promise<Missing[]> {
  const kinds = new Map<string, string>();
  const own: { place: string; id: string }[] = [];
  for (const { place, kind, text } of references) {
    const hash = parseSha256Ref(text);
    const id = hash === null ? parseOwnFileUrl(ctx.hub, text)?.toLowerCase() : undefined;
    if (hash !== null && !kinds.has(hash)) kinds.set(hash, kind);
    if (id !== undefined) own.push({ place, id });
  }
  const ids = new Set(own.map(({ id }) => id));
  if (kinds.size + ids.size === 0) return [];
  if (kinds.size + ids.size > MAX_FILES) rejectInput(root, [["", `may refer to at most ${MAX_FILES} files`]]);

  const onlyKey = onlyKeyOf(ctx.actor);
  const rows = await selectOwned(ctx.hub.db, ctx.account.id, [...kinds.keys()], [...ids].filter(isId), at, onlyKey);
  const known = new Map(rows.map(({ name, owned }) => [name, owned]));
  const issues = own
    .filter(({ id }) => !known.get(id))
    .map(({ place, id }) => [place, describeIssue(known.has(id))] as const);
  if (issues.length > 0) rejectInput(root, issues);
  const missing = [...kinds].filter(([hash]) => !known.get(hash)).map(([sha256, kind]) => ({ sha256, kind }));
  if (onlyKey !== null) rejectMissing(references, missing, root);
  return missing;
}

/** Returns which of these hashes the references of an input name. */
export function selectMissing(references: FileReference[], hashes: ReadonlySet<string>): Missing[] {
  const found = new Map<string, Missing>();
  for (const { kind, text } of hashes.size > 0 ? references : []) {
    const sha256 = parseSha256Ref(text);
    if (sha256 !== null && hashes.has(sha256) && !found.has(sha256)) found.set(sha256, { sha256, kind });
  }
  return [...found.values()];
}

function rejectMissing(references: FileReference[], missing: Missing[], root: Root): void {
  if (missing.length === 0) return;
  const hashes = new Set(missing.map(({ sha256 }) => sha256));
  const places = references.filter(({ text }) => hashes.has(parseSha256Ref(text) ?? ""));
  rejectInput(
    root,
    places.map(({ place }) => [place, "is not a file of this connection: upload it first"]),
  );
}

const describeIssue = (expired: boolean) =>
  expired ? "the file has expired: upload it again" : "is not a file of this account";

const selectOwned = statement({
  params: [int4, array(text), array(uuid), timestamptz, nullable(uuid)],
  row: { name: text, owned: bool },
  text: `
    SELECT hash.hex AS name, ${ownedFileSql({ account: "$1", sha256: "decode(hash.hex, 'hex')", at: "$4", key: "$5" })} AS owned
    FROM unnest($2::text[]) AS hash (hex)
    UNION ALL
    SELECT f.id::text, f.removed_at IS NULL AND f.expires_at > $4
    FROM file f WHERE f.account_id = $1 AND f.id = ANY ($3::uuid[]) AND f.stored_at IS NOT NULL
      AND ${isFileOfKeySql("$5")}`,
});
