import type { HubParts } from "../../context";
import type { LedgerHub } from "../ledger";
import type { OperatorActionsHub } from "../operator-actions";

/** The parts of the hub that price books use. */
export type BooksHub = Pick<HubParts, "books" | "catalogue" | "db" | "env" | "now"> & LedgerHub & OperatorActionsHub;
