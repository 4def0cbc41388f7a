import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";
import type { PricingHub } from "../pricing";
import type { QuotesHub } from "../quotes";
import type { RoutingHub } from "../routing";

/** The parts of the hub that models use. */
export type ModelsHub = Pick<HubParts, "catalogue" | "db" | "env" | "longWork" | "now"> &
  PricingHub &
  QuotesHub &
  RoutingHub &
  OperatorActionsHub;
