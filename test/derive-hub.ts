import type { Hub } from "../server/domain/hub";
import { createHub } from "../server/domain/hub";

/**
 * Returns the hub with other parts, as another process would have it: its services use those parts alone. A spread would
 * keep the services of the first hub, with its database and clock.
 */
export const deriveHub = <H extends Hub>(hub: H, changes: Partial<Omit<Hub, "services">> = {}): H =>
  createHub({ ...hub, ...changes });
