import type { HubParts } from "../../context";
import type { AccountsHub } from "../accounts";
import type { FilesHub } from "../files";
import type { ReadHub } from "../generations/read";
import type { LedgerHub } from "../ledger";
import type { MembersHub } from "../members";
import type { CharactersHub } from "../characters";
import type { OperatorActionsHub } from "../operator-actions";

/** The parts of the hub that exports use. */
export type ExportsHub = Pick<HubParts, "db" | "env" | "log" | "now" | "storage"> &
  AccountsHub &
  CharactersHub &
  FilesHub &
  LedgerHub &
  MembersHub &
  OperatorActionsHub &
  ReadHub;
