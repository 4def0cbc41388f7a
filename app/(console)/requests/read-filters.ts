import { type ErrorCode, errorTable } from "@/server/error-table";
import { readDayParam, type ReadSearch, readTextParam } from "../../ui/search";
import { UUID } from "../generations/read-filters";

export const codes = (Object.keys(errorTable) as ErrorCode[]).sort();

export const kinds = [
  { value: "", label: "All" },
  { value: "generations", label: "Generations" },
  { value: "rejected", label: "Rejected" },
] as const;

/** Returns the filters of the URL without invalid values. Only rejected requests have an error and a request id. */
export function readFilters(read: ReadSearch) {
  const key = read("key") ?? "";
  const code = codes.find((one) => one === read("code"));
  const request_id = readTextParam(read, "request");
  const show = code !== undefined || request_id !== undefined ? "rejected" : read("show");
  return {
    show: show === "generations" || show === "rejected" ? show : undefined,
    key: UUID.test(key) ? key : undefined,
    code,
    from: readDayParam(read, "from"),
    to: readDayParam(read, "to"),
    request_id,
  } as const;
}

export type Filters = ReturnType<typeof readFilters>;
