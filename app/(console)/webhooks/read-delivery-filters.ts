import type { ReadSearch } from "../../ui/search";

/** Returns the filters of the list of deliveries in the URL. */
export const readDeliveryFilters = (read: ReadSearch) => ({ failed: read("failed") === "yes" || undefined });
