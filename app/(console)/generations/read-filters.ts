import { modelKinds } from "@/server/domain/models/model-kind";
import { readDayParam, type ReadSearch } from "../../ui/search";
import { statusWords } from "../../ui/badge";

const MODEL = /^[a-z0-9][a-z0-9._:-]{0,199}$/;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SEARCHABLE = /[\p{L}\p{N}]/u;
const MAX_SEARCH_LENGTH = 200;

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
    exclude_llm: read("chats") === "no" || undefined,
  };
}

export type Filters = ReturnType<typeof readFilters>;
