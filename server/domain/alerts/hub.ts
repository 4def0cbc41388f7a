import type { HubParts } from "../../context";
import type { EventsHub } from "../events";
import type { EndUserHub } from "../labels";

/** What the requests of one process share of alerts. */
export interface AlertServices {
  /** The keys that decrypt Slack URLs; the first one also encrypts them. */
  alertKeys: readonly Buffer[];
}

/** What alerts need of the hub. */
export type AlertsHub = Pick<HubParts, "db" | "env" | "fetch" | "log" | "now"> &
  EndUserHub &
  EventsHub & { services: AlertServices };
