import { type ErrorCode, errorTable } from "@/server/error-table";
import { readDayParam, type ReadSearch, readTextParam } from "../../ui/search";

export const codes = (Object.keys(errorTable) as ErrorCode[]).sort();

/** Returns the filters of the URL without invalid values. */
export const readFilters = (read: ReadSearch) => ({
  key: readTextParam(read, "key"),
  code: codes.find((code) => code === read("code")),
  from: readDayParam(read, "from"),
  to: readDayParam(read, "to"),
  request_id: readTextParam(read, "request"),
});
