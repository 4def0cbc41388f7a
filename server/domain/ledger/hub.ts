import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { KeysHub } from "../keys";
import type { EndUserHub } from "../labels";

/** What the ledger needs of the hub. */
export type LedgerHub = Pick<HubParts, "db" | "now"> & EndUserHub & Secrets & KeysHub;
