import type { HubParts } from "../../context";

/** What tax profiles and reports need of the hub. */
export type TaxHub = Pick<HubParts, "db" | "now">;

/** What tax lines need of it, which are inserted in a transaction. */
export type TaxLineHub = Pick<HubParts, "env" | "now">;
