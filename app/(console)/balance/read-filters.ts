import { readDayParam, type ReadSearch } from "../../ui/search";

const kinds = ["credit", "promotional", "charge", "refund", "dispute", "repayment", "given_up"] as const;

/** Returns the filters of the URL without invalid values. */
export const readFilters = (read: ReadSearch) => ({
  kind: kinds.find((kind) => kind === read("kind")),
  from: readDayParam(read, "from"),
  to: readDayParam(read, "to"),
});
