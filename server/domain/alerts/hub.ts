import type { HubParts } from "../../context";
import type { EventsHub } from "../events";
import type { EndUserHub } from "../labels";

/** The services for alerts that the requests of one process share. */
export interface AlertServices {
  /** The keys that decrypt Slack URLs; the first one also encrypts them. */
  alertKeys: readonly Buffer[];
}

/** The parts of the hub that alerts use. */
export type AlertsHub = Pick<HubParts, "db" | "env" | "fetch" | "log" | "now"> &
  EndUserHub &
  EventsHub & { services: AlertServices };
