import type { HubParts } from "../../../context";
import type { ArrivalBudget } from "../../../lib/arrival-budget";
import type { Secrets } from "../../../lib/signature";
import type { TokenUsage } from "../../tokens";
import type { ReferencesHub } from "../../references";
import type { AttemptsHub } from "../attempts";
import type { EndHub } from "../end";

/** What the runs of one process share. */
export interface RunServices {
  /** Renews the lease of a chat that runs in this process, and stores what it has used so far; never throws. */
  renewLease: (chatId: string, usage?: TokenUsage) => void;
  /** Bounds what responses with inline outputs hold in memory. */
  inlineOutputs: ArrivalBudget;
}

/** The parts of the hub that runs use. */
export type RunHub = Pick<
  HubParts,
  | "catalogue"
  | "db"
  | "env"
  | "fetch"
  | "json"
  | "log"
  | "metrics"
  | "now"
  | "providers"
  | "publish"
  | "storage"
  | "tracing"
> &
  Secrets &
  EndHub &
  AttemptsHub &
  ReferencesHub & { services: RunServices };
