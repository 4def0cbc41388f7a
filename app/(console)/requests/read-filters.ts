import { type ErrorCode, errorTable } from "@/server/error-table";
import type { ReadSearch } from "../../ui/search";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_LENGTH = 200;

export const codes = (Object.keys(errorTable) as ErrorCode[]).sort();

/** Returns the filters of the URL without invalid values. */
export function readFilters(read: ReadSearch) {
  const text = (name: string) => read(name)?.trim().slice(0, MAX_LENGTH) || undefined;
  const day = (name: string) => {
    const value = read(name) ?? "";
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  };
  return {
    key: text("key"),
    code: codes.find((code) => code === read("code")),
    from: day("from"),
    to: day("to"),
    request_id: text("request"),
  };
}
