import type { WorkersHub } from "./hub";
import { ONLINE_MS } from "./presence";

/** Returns the workers that this process has heard of, online ones first, with the models that each asked for. */
export function listPresence(hub: WorkersHub) {
  const now = hub.now().getTime();
  return [...hub.presence.entries()]
    .map(([id, { name, seen, models }]) => ({
      id,
      name,
      is_online: now - seen < ONLINE_MS,
      seen_at: new Date(seen).toISOString(),
      models: [...models.keys()].sort(),
    }))
    .sort((one, other) => Number(other.is_online) - Number(one.is_online) || one.name.localeCompare(other.name));
}
