import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { KeysHub } from "../keys";
import type { EndUserHub } from "../labels";

/** The parts of the hub that the ledger uses. */
export type LedgerHub = Pick<HubParts, "db" | "now"> & EndUserHub & Secrets & KeysHub;
