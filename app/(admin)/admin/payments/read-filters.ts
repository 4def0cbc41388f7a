import type { PaymentFilter } from "@/server/domain/payment-records";
import { type ReadSearch, readTextParam } from "../../../ui/search";

/** The filters of the list, with their names. */
export const filterNames: Record<PaymentFilter, string> = {
  pending: "Pending",
  failed: "Failed",
  refunded: "Refunded",
  disputed: "Disputed",
  not_credited: "Needs attention",
};

/** Returns the filters of the list of payments in the URL. */
export function readFilters(read: ReadSearch) {
  const filter = read("filter") ?? "";
  return {
    q: readTextParam(read, "q"),
    filter: Object.hasOwn(filterNames, filter) ? (filter as PaymentFilter) : undefined,
  };
}
