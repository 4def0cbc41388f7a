import type { HubParts } from "../../context";
import { operate, type Operator, type OperatorActionsHub } from "../operator-actions";
import { nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";

/** The parts of the hub that announcements use. */
export type AnnouncementsHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;

export const announcementLevels = ["info", "warning"] as const;
type AnnouncementLevel = (typeof announcementLevels)[number];

/** An announcement to everybody who uses the console. */
export interface Announcement {
  text: string;
  level: AnnouncementLevel;
  /** ISO 8601; null for one without an end. */
  ends_at: string | null;
}

/** Returns the current announcement; null if there is none. */
export async function findAnnouncement(hub: AnnouncementsHub): Promise<Announcement | null> {
  const [row] = await selectNewest(hub.db);
  if (!row || (row.ends_at && row.ends_at <= hub.now())) return null;
  return { text: row.text, level: row.level, ends_at: row.ends_at?.toISOString() ?? null };
}

const selectNewest = statement({
  params: [],
  row: { id: uuid, text, level: textOf<AnnouncementLevel>(), ends_at: nullable(timestamptz) },
  text: "SELECT id, text, level, ends_at FROM announcement ORDER BY id DESC LIMIT 1",
});

/** Replaces the current announcement. */
export async function announce(
  hub: AnnouncementsHub,
  operator: Operator,
  { text, level, endsAt }: { text: string; level: AnnouncementLevel; endsAt: Date | null },
): Promise<void> {
  const id = newId();
  await operate(hub, operator, { action: "announcement.set", target: { kind: "announcement", id } }, async (tx) => {
    const [before] = await selectNewest(tx);
    await insertAnnouncement(tx, id, text, level, hub.now(), endsAt);
    return {
      before: before ? { text: before.text } : null,
      after: { text, level, ends_at: endsAt?.toISOString() ?? null },
      result: undefined,
    };
  });
}

const insertAnnouncement = statement({
  params: [uuid, text, text, timestamptz, nullable(timestamptz)],
  row: {},
  text: "INSERT INTO announcement (id, text, level, created_at, ends_at) VALUES ($1, $2, $3, $4, $5)",
});

/** Ends the current announcement; does nothing if there is none. */
export async function clearAnnouncement(hub: AnnouncementsHub, operator: Operator): Promise<void> {
  const action = { action: "announcement.clear", target: { kind: "announcement", id: "" } };
  await operate(hub, operator, action, async (tx) => {
    const [ended] = await endNewest(tx, hub.now());
    if (!ended) return null;
    const target = { kind: "announcement", id: ended.id };
    return { before: { text: ended.text }, after: null, target, result: undefined };
  });
}

const endNewest = statement({
  params: [timestamptz],
  row: { id: uuid, text },
  text: `
    UPDATE announcement SET ends_at = $1
    WHERE id = (SELECT id FROM announcement ORDER BY id DESC LIMIT 1) AND (ends_at IS NULL OR ends_at > $1)
    RETURNING id, text`,
});
