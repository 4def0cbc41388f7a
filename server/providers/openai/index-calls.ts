import { isObject } from "../../lib/is-object";

/** A call of a tool, as far as its pieces have described it. */
interface Call {
  index: number;
  id: string;
  isNamed: boolean;
}

/** A stream that makes more calls is broken. */
const MAX_CALLS = 1_000;

/**
 * Returns a function that gives each piece of a choice's tool calls the index of its call, by which clients put pieces
 * together. Google's endpoint sends no index, and Ollama sends 0 for all calls, which then differ only in their ids.
 * Pieces of other servers stay as they are. It returns null for a stream with too many calls.
 */
export function createCallIndexer(): (pieces: unknown[]) => unknown[] | null {
  /** The newest call of each index that the server gives. */
  const newest = new Map<number, Call>();
  /** All calls by that index and their id. */
  const known = new Map<string, Call>();
  const used = new Set<number>();
  let last: Call | undefined;

  const begin = (sentIndex: number | null): Call => {
    let index = sentIndex === null || used.has(sentIndex) ? used.size : sentIndex;
    while (used.has(index)) index += 1;
    used.add(index);
    return { index, id: "", isNamed: false };
  };
  const find = (sentIndex: number | null, id: string, name: string): Call | undefined => {
    const earlier = id === "" ? undefined : known.get(keyOf(sentIndex, id));
    const open = sentIndex === null ? last : newest.get(sentIndex);
    return earlier ?? (open && !isNext(open, { hasIndex: sentIndex !== null, id, name }) ? open : undefined);
  };
  const addIndex = (piece: unknown): unknown => {
    if (!isObject(piece)) return piece;
    const sentIndex = isIndex(piece.index) ? piece.index : null;
    const { name } = isObject(piece.function) ? piece.function : {};
    const [id, called] = [toText(piece.id), toText(name)];
    const call = find(sentIndex, id, called) ?? begin(sentIndex);
    if (call.id === "" && id !== "") {
      call.id = id;
      known.set(keyOf(sentIndex, id), call);
    }
    call.isNamed ||= called !== "";
    if (sentIndex !== null) newest.set(sentIndex, call);
    last = call;
    return call.index === piece.index ? piece : { ...piece, index: call.index };
  };

  return (pieces) => {
    const indexed = pieces.map(addIndex);
    return used.size > MAX_CALLS ? null : indexed;
  };
}

/** Returns whether a piece belongs to the next call, although it could go on with the open one. */
function isNext(open: Call, { hasIndex, id, name }: { hasIndex: boolean; id: string; name: string }): boolean {
  const hasOtherId = id !== "" && open.id !== "" && id !== open.id;
  // Some servers make up a new id for every piece of one call, of which only the first names the function.
  if (hasIndex) return hasOtherId && name !== "";
  return hasOtherId || (id === "" && name !== "" && open.isNamed);
}

const isIndex = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < MAX_CALLS;

const keyOf = (sentIndex: number | null, id: string): string => `${sentIndex ?? ""} ${id}`;

const toText = (value: unknown): string => (typeof value === "string" ? value : "");
