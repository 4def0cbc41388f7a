import type { HubParts } from "../../context";
import type { AlertsHub } from "../alerts";
import type { FactorsHub } from "../factors";
import type { ReadHub } from "../generations/read";
import type { HealthHub } from "../health";
import type { LedgerHub } from "../ledger";
import type { MembersHub } from "../members";
import type { MetricsHub } from "../metrics";
import type { PaymentRecordsHub } from "../payment-records";
import type { ResponsesHub } from "../responses";

/** The parts of the hub that operations use. */
export type OperationsHub = Pick<HubParts, "db" | "env" | "log" | "metrics" | "now" | "presence"> &
  MembersHub &
  PaymentRecordsHub &
  ReadHub &
  LedgerHub &
  FactorsHub &
  Pick<AlertsHub, "services"> &
  HealthHub &
  ResponsesHub &
  MetricsHub;
