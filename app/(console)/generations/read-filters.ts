import type { ReadSearch } from "../../ui/search";
import { statusWords } from "../../ui/status-badge";

const MODEL = /^[a-z0-9][a-z0-9._:-]{0,199}$/;

/** Returns the filters of the URL without invalid values. */
export function readFilters(read: ReadSearch) {
  const model = read("model");
  return {
    status: statusWords.find(({ status }) => status === read("status"))?.status,
    model: model && MODEL.test(model) ? model : undefined,
    exclude_llm: read("chats") === "no" || undefined,
  };
}
