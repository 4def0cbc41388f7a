import type { Hub } from "../../context";
import type { Worker } from "./worker";

/** Postgres tells here which workers ask for jobs, to every process. */
export const PRESENCE_CHANNEL = "hub_worker_presence";

/** Who waits asks again every thirty seconds at least; after this time it is away. */
export const ONLINE_MS = 45_000;

const TELL_MS = 10_000;
// A notice has room for 8,000 bytes.
const MAX_MODELS = 30;

interface Notice {
  id: string;
  name: string;
  models: string[];
}

/**
 * Notes that a worker asks for jobs of these models, in this process at once and in the others soon. It is for people
 * to look at and nothing depends on it, so it lives in memory, never throws, and keeps nobody waiting.
 */
export function reportPresence(hub: Hub, { tokenId, name }: Worker, asked: string[]): void {
  const models = asked.filter((model) => hub.catalogue.has(model)).slice(0, MAX_MODELS);
  const notice: Notice = { id: tokenId ?? "", name, models };
  const known = hub.presence.get(notice.id);
  const told = known?.announcedAt ?? 0;
  const isNews = models.some((model) => known?.models.get(model) === undefined);
  note(hub, notice);
  const now = hub.now().getTime();
  if (!isNews && now - told < TELL_MS) return;
  hub.presence.get(notice.id)!.announcedAt = now;
  void hub.db
    .query("SELECT pg_notify($1, $2)", [PRESENCE_CHANNEL, JSON.stringify(notice)])
    .catch((error: unknown) => hub.log.debug({ err: error as Error }, "no other process hears of a worker"));
}

/** Notes what another process tells of a worker. */
export function applyPresence(hub: Hub, payload: string): void {
  // Nothing but that the line was down for a moment.
  if (payload !== "") note(hub, JSON.parse(payload) as Notice);
}

function note(hub: Hub, { id, name, models }: Notice): void {
  const now = hub.now().getTime();
  const before = hub.presence.get(id);
  // Several programs may share a token: what one of them has just asked for, the token serves.
  const recent = [...(before?.models ?? [])].filter(([, at]) => now - at < ONLINE_MS);
  const asked = models.map((model) => [model, now] as const);
  hub.presence.set(id, {
    name,
    seen: now,
    announcedAt: before?.announcedAt ?? 0,
    models: new Map([...recent, ...asked]),
  });
}
