import type { HubParts } from "../../context";
import type { EventsHub } from "../events";

/** What the requests of one process share of alerts. */
export interface AlertServices {
  /** The keys that decrypt Slack URLs; the first one also encrypts them. */
  alertKeys: readonly Buffer[];
}

/** What alerts need of the hub. */
export type AlertsHub = Pick<HubParts, "db" | "endUserKey" | "env" | "fetch" | "log" | "now"> &
  EventsHub & { services: AlertServices };
