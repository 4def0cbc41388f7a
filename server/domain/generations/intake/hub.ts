import type { HubParts } from "../../../context";
import type { EndpointsHub } from "../../endpoints";
import type { EventsHub } from "../../events";
import type { LedgerHub } from "../../ledger";
import type { ModelsHub } from "../../models";
import type { ReferencesHub } from "../../references";
import type { QueueHub } from "../queue";
import type { ReadHub } from "../read";
import type { ReplayHub } from "../replay";
import type { IntakeServices } from "./insert-with-hold";
import type { EndUserHub } from "../../labels";

/** The parts of the hub that the intake uses. */
export type IntakeHub = Pick<HubParts, "db" | "env" | "now" | "storage" | "tracing"> &
  EndUserHub &
  ReplayHub &
  ReadHub &
  QueueHub &
  ReferencesHub &
  EndpointsHub &
  EventsHub &
  LedgerHub &
  ModelsHub & {
    services: IntakeServices;
  };
