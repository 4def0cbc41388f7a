import type { HubParts } from "../../../context";
import type { Durability } from "../../../db/durability";
import type { ConcurrencyLimit } from "../../../lib/concurrency-limit";
import type { EventsHub } from "../../events";
import type { MetricsHub } from "../../metrics";
import type { TokenServices } from "../../rates";
import type { ChangeServices } from "../changes";
import type { QueueHub } from "../queue";
import type { ReadHub } from "../read";
import { createFinishBatcher, type FinishServices } from "./finish";
import { createSettleBatcher, type SettleServices } from "./settle-chat";

/** The services for ends that the requests of one process share. */
export type EndServices = FinishServices & SettleServices;

/** The parts of the hub that ends use. */
export type EndHub = Pick<HubParts, "db" | "now" | "providers" | "publish"> &
  ReadHub &
  QueueHub &
  EventsHub &
  MetricsHub & { services: EndServices & ChangeServices };

/** Returns the services of ends, whose statements the limiter admits. */
export const createEndServices = (
  hub: EndHub,
  limiter: ConcurrencyLimit,
): Omit<EndServices, keyof (Durability & TokenServices)> => ({
  finishGeneration: createFinishBatcher(hub, limiter),
  settleChat: createSettleBatcher(hub, limiter),
});
