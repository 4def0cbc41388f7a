import { nullable, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { WorkersHub } from "./hub";
import type { Worker } from "./worker";

/** The NOTIFY channel by which processes share which workers ask for jobs. */
export const PRESENCE_CHANNEL = "hub_worker_presence";

/** A waiting worker asks for jobs at least every 30 seconds; one that has not asked for this long is offline. */
export const ONLINE_MS = 45_000;

const NOTIFY_INTERVAL_MS = 10_000;
// The payload of NOTIFY is limited to 8,000 bytes.
const MAX_MODELS = 30;

interface Notice {
  id: string;
  name: string;
  models: string[];
}

/**
 * Records that a worker asks for jobs of these models: in this process at once, in the others soon. Presence is only
 * displayed, so it is kept in memory, and its announcement is not awaited and may fail.
 */
export function reportPresence(hub: WorkersHub, { tokenId, name }: Worker, requested: string[]): void {
  const models = requested.filter((model) => hub.catalogue.has(model)).slice(0, MAX_MODELS);
  const notice: Notice = { id: tokenId ?? "", name, models };
  const known = hub.presence.get(notice.id);
  const hasNewModel = models.some((model) => !known?.models.has(model));
  recordNotice(hub, notice);
  const now = hub.now().getTime();
  if (!hasNewModel && now - (known?.announcedAt ?? 0) < NOTIFY_INTERVAL_MS) return;
  hub.presence.get(notice.id)!.announcedAt = now;
  void notifyPresence(hub.db, PRESENCE_CHANNEL, JSON.stringify(notice)).catch((error: unknown) =>
    hub.log.debug({ err: error as Error }, "worker presence not announced"),
  );
}

const notifyPresence = statement({
  params: [text, text],
  row: { notified: nullable(text) },
  text: "SELECT pg_notify($1, $2)::text AS notified",
});

/** Records a worker's presence that another process announced. */
export function applyPresence(hub: WorkersHub, payload: string): void {
  // An empty payload only means that the listener has reconnected.
  if (payload !== "") recordNotice(hub, JSON.parse(payload) as Notice);
}

function recordNotice(hub: WorkersHub, { id, name, models }: Notice): void {
  const now = hub.now().getTime();
  const before = hub.presence.get(id);
  // Several programs may share a token, so the models that they asked for recently are merged.
  const recent = [...(before?.models ?? [])].filter(([, at]) => now - at < ONLINE_MS);
  const requested = models.map((model) => [model, now] as const);
  hub.presence.set(id, {
    name,
    seen: now,
    announcedAt: before?.announcedAt ?? 0,
    models: new Map([...recent, ...requested]),
  });
}

/** Returns all workers that have asked for jobs since this process started, online ones first, each with its models. */
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
