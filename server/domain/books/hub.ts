import type { HubParts } from "../../context";
import type { LedgerHub } from "../ledger";
import type { OperatorActionsHub } from "../operator-actions";

/** What price books need of the hub. */
export type BooksHub = Pick<HubParts, "books" | "catalogue" | "db" | "env" | "now"> & LedgerHub & OperatorActionsHub;
