import { METADATA_KEY, parsePairs } from "@/server/domain/labels/pairs";
import { modelKinds } from "@/server/domain/models/model-kind";
import { readDayParam, type ReadSearch, readTextParam } from "../../ui/search";
import { statusWords } from "../../ui/badge";

const MODEL = /^[a-z0-9][a-z0-9._:-]{0,199}$/;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SEARCHABLE = /[\p{L}\p{N}]/u;
const MAX_SEARCH_LENGTH = 200;
const MAX_PAIRS = 3;
const MAX_VALUE_LENGTH = 512;
const MAX_END_USER_LENGTH = 255;

/** Returns the filters of the URL without invalid values. */
export function readFilters(read: ReadSearch) {
  const readIf = (name: string, isValid: (text: string) => boolean) => {
    const text = read(name) ?? "";
    return isValid(text) ? text : undefined;
  };
  return {
    q: readIf("q", (text) => SEARCHABLE.test(text))?.slice(0, MAX_SEARCH_LENGTH),
    from: readDayParam(read, "from"),
    to: readDayParam(read, "to"),
    status: statusWords.find(({ status }) => status === read("status"))?.status,
    kind: modelKinds.find((kind) => kind === read("kind")),
    model: readIf("model", (text) => MODEL.test(text)),
    key: readIf("key", (text) => UUID.test(text)),
    metadata: readPairs(read("metadata") ?? ""),
    end_user: readTextParam(read, "end_user", MAX_END_USER_LENGTH),
    exclude_llm: read("chats") === "no" || undefined,
  };
}

/** Returns the first pairs of a text such as `team=blue, run=7`; undefined if it has none. */
function readPairs(text: string): Record<string, string> | undefined {
  const pairs = Object.entries(parsePairs(text)).filter(
    (pair): pair is [string, string] =>
      METADATA_KEY.test(pair[0]) && pair[1] !== undefined && pair[1].length <= MAX_VALUE_LENGTH,
  );
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.slice(0, MAX_PAIRS));
}

export type Filters = ReturnType<typeof readFilters>;
