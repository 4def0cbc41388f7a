import type { PaymentFilter } from "@/server/domain/payment-records";
import { type ReadSearch, readTextParam } from "../../../ui/search";

/** What the list can be narrowed to, with its name. */
export const filterNames: Record<PaymentFilter, string> = {
  pending: "Pending",
  failed: "Failed",
  refunded: "Refunded",
  disputed: "Disputed",
  not_credited: "Paid and not credited",
};

/** Returns the filters of the list of payments that a URL has. */
export function readFilters(read: ReadSearch) {
  const filter = read("filter") ?? "";
  return {
    q: readTextParam(read, "q"),
    filter: Object.hasOwn(filterNames, filter) ? (filter as PaymentFilter) : undefined,
  };
}
