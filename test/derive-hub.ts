import type { Hub } from "../server/context";
import { createHub } from "../server/domain/services";

/**
 * Returns the hub with other parts, as another process would have it: its services use only those parts. A spread would
 * keep the services of the first hub, with its database and clock.
 */
export const deriveHub = <H extends Hub>(hub: H, changes: Partial<Omit<Hub, "services">> = {}): H =>
  createHub({ ...hub, ...changes });
