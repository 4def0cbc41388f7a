import type { HubParts } from "../../context";
import type { KeysHub } from "../keys";

/** What the requests of one process share of endpoints. */
export interface EndpointServices {
  /** The keys that decrypt the secrets of endpoints; the first one also encrypts them. */
  webhookKeys: readonly Buffer[];
}

/** What endpoints need of the hub. */
export type EndpointsHub = Pick<HubParts, "db" | "env" | "now"> & KeysHub & { services: EndpointServices };
