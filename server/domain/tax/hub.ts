import type { HubParts } from "../../context";

/** The parts of the hub that tax profiles and reports use. */
export type TaxHub = Pick<HubParts, "db" | "now">;

/** What tax lines need of the hub; they are inserted in the caller's transaction. */
export type TaxLineHub = Pick<HubParts, "env" | "now">;
