import type { Ctx } from "../../context";
import { array, bytea, int4, int8, notNull, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import { budgetExceeded } from "../../lib/byte-budget";
import type { ResponsesHub } from "./hub";
import { parseItemId, parseResponseId } from "./ids";
import type { Json } from "./json";
import { extendSql, openPart } from "./stored-response";
import { listItems, type PlacedItem } from "./translate-items";

const MAX_ITEMS = 10_000;
const MAX_DEPTH = 500;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REFERENCED = 500;

/** The items of a request, with those that it refers to. */
export interface ResolvedInput {
  /** All items that the model gets. */
  items: PlacedItem[];
  /** The items of this request only. */
  own: Json[];
  /** The generation of the previous response. */
  previousId: string | null;
  /** How many bytes the hub has added to the request. */
  addedBytes: number;
}

/**
 * Resolves the previous response and the references of a request within the account. Throws 400 for an id that is unknown or
 * another account's, and for a conversation that is too long.
 */
export async function resolveInput(
  ctx: Ctx<ResponsesHub>,
  { input, previousId }: { input: unknown; previousId: string | null },
  memory: Reservation,
): Promise<ResolvedInput> {
  const placed = listItems(input ?? [], MAX_ITEMS);
  const chain = previousId === null ? { items: [], bytes: 0, id: null } : await readChain(ctx, previousId, memory);
  const references = await readReferences(ctx, placed, memory);
  const own = placed.map(({ item, path }) => ({ item: references.resolve(item, path), path }));
  const items = [...chain.items.map((item) => ({ item, path: "previous_response_id" })), ...own];
  if (items.length > MAX_ITEMS) throw tooLong(`more than ${MAX_ITEMS} items`);
  const addedBytes = chain.bytes + references.bytes;
  return { items, own: own.map(({ item }) => item), previousId: chain.id, addedBytes };
}

async function readChain({ hub, account }: Ctx<ResponsesHub>, previousId: string, memory: Reservation) {
  const id = parseResponseId(previousId);
  const rows = id === null ? [] : await selectChain(hub.db, id, account.id, hub.now(), hub.env.RETENTION_REPLY_DAYS);
  const oldest = rows[0];
  if (!oldest) throw previousNotFound(previousId);
  const bytes = Number(oldest.bytes);
  if (bytes > MAX_BYTES) throw tooLong(`more than ${MAX_BYTES} bytes`);
  if (rows.length > MAX_DEPTH) throw tooLong(`more than ${MAX_DEPTH} responses`);
  if (oldest.previous_id !== null) throw previousNotFound(previousId);
  if (!memory.add(bytes)) throw budgetExceeded();
  const items: Json[] = [];
  for (const { generation_id, input, answer } of rows) {
    const asked = openPart(hub, account.id, generation_id, "input", input!) as Json[] | null;
    const answered = openPart(hub, account.id, generation_id, "answer", answer!) as { output: Json[] } | null;
    if (!asked || !answered) throw previousNotFound(previousId);
    for (const item of asked) items.push(item);
    for (const item of answered.output) items.push(item);
  }
  return { items, bytes, id };
}

// Reads no content of a conversation that is too long. The oldest response comes first, with the bytes of all.
const selectChain = statement({
  params: [uuid, int4, timestamptz, int4],
  row: {
    generation_id: uuid,
    previous_id: nullable(uuid),
    bytes: notNull(int8),
    input: nullable(bytea),
    answer: nullable(bytea),
  },
  text: `
    WITH RECURSIVE chain AS (
      SELECT generation_id, previous_id, 1 AS depth, (octet_length(input) + octet_length(answer))::bigint AS bytes
      FROM response WHERE generation_id = $1 AND account_id = $2 AND expires_at > $3
      UNION ALL
      SELECT r.generation_id, r.previous_id, chain.depth + 1, chain.bytes + octet_length(r.input) + octet_length(r.answer)
      FROM chain JOIN response r ON r.generation_id = chain.previous_id AND r.account_id = $2 AND r.expires_at > $3
      WHERE chain.depth <= ${MAX_DEPTH} AND chain.bytes <= ${MAX_BYTES}
    ),
    used AS (SELECT generation_id FROM chain),
    whole AS (SELECT max(bytes) AS bytes FROM chain),
    ${extendSql}
    SELECT chain.generation_id, chain.previous_id, whole.bytes,
           CASE WHEN whole.bytes <= ${MAX_BYTES} THEN r.input END AS input,
           CASE WHEN whole.bytes <= ${MAX_BYTES} THEN r.answer END AS answer
    FROM chain CROSS JOIN whole JOIN response r ON r.generation_id = chain.generation_id
    ORDER BY chain.depth DESC`,
});

async function readReferences({ hub, account }: Ctx<ResponsesHub>, placed: PlacedItem[], memory: Reservation) {
  const responses = listReferenced(placed);
  const maxDays = hub.env.RETENTION_REPLY_DAYS;
  const rows = responses.length === 0 ? [] : await selectReferenced(hub.db, responses, account.id, hub.now(), maxDays);
  const bytes = Number(rows[0]?.bytes ?? 0);
  if (bytes > MAX_BYTES) throw invalidInput("input", `may refer to responses of at most ${MAX_BYTES} bytes`);
  if (!memory.add(bytes)) throw budgetExceeded();
  const known = new Map<unknown, Json>();
  for (const { generation_id: id, input, answer } of rows) {
    const asked = openPart(hub, account.id, id, "input", input!) as Json[] | null;
    const answered = openPart(hub, account.id, id, "answer", answer!) as { output: Json[] } | null;
    for (const item of [asked ?? [], answered?.output ?? []].flat()) known.set(item.id, item);
  }
  const resolve = (item: Json, path: string): Json => {
    if (item.type !== "item_reference") return item;
    const found = known.get(item.id);
    if (!found) throw invalidInput(`${path}.id`, "names no stored item of this account");
    return found;
  };
  return { bytes, resolve };
}

/** Returns the responses whose items are referred to. */
function listReferenced(placed: PlacedItem[]): string[] {
  const responses = new Set<string>();
  for (const { item } of placed) {
    const place = item.type === "item_reference" && typeof item.id === "string" ? parseItemId(item.id) : null;
    if (place) responses.add(place.responseId);
  }
  if (responses.size > MAX_REFERENCED) throw invalidInput("input", `may refer to at most ${MAX_REFERENCED} responses`);
  return [...responses];
}

const selectReferenced = statement({
  params: [array(uuid), int4, timestamptz, int4],
  row: { generation_id: uuid, bytes: notNull(int8), input: nullable(bytea), answer: nullable(bytea) },
  text: `
    WITH used AS (
      SELECT generation_id, octet_length(input) + octet_length(answer) AS bytes
      FROM response WHERE generation_id = ANY ($1) AND account_id = $2 AND expires_at > $3
    ),
    whole AS (SELECT sum(bytes)::bigint AS bytes FROM used),
    ${extendSql}
    SELECT used.generation_id, whole.bytes,
           CASE WHEN whole.bytes <= ${MAX_BYTES} THEN r.input END AS input,
           CASE WHEN whole.bytes <= ${MAX_BYTES} THEN r.answer END AS answer
    FROM used CROSS JOIN whole JOIN response r USING (generation_id)`,
});

const previousNotFound = (id: string): AppError =>
  new AppError("invalid_input", `Previous response with id '${id.slice(0, 100)}' not found.`, {
    errors: { previous_response_id: ["names no stored response of this account"] },
    openai_code: "previous_response_not_found",
  });

const tooLong = (what: string): AppError =>
  invalidInput("previous_response_id", `leads to ${what}: send the conversation in input instead`);
