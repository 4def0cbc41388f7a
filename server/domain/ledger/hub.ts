import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { KeysHub } from "../keys";

/** What the ledger needs of the hub. */
export type LedgerHub = Pick<HubParts, "db" | "endUserKey" | "now"> & Secrets & KeysHub;
