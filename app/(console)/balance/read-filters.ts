import type { ReadSearch } from "../../ui/search";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const kinds = ["credit", "charge", "refund", "dispute", "repayment"] as const;

/** Returns the filters of the URL without invalid values. */
export function readFilters(read: ReadSearch) {
  const day = (name: string) => {
    const text = read(name) ?? "";
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  };
  return { kind: kinds.find((kind) => kind === read("kind")), from: day("from"), to: day("to") };
}
