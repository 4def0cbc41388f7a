import { z } from "zod";

const Tombstone = z.object({
  /** `input` is a generation whose outputs stayed. */
  kind: z.enum(["account", "generation", "input", "person"]),
  id: z.string().max(40),
  /** When the account or the person was created: after a restore, another one may get the id. */
  created_at: z.string().optional(),
});

/** What was erased: an id, and nothing else about it. */
export type Tombstone = z.output<typeof Tombstone>;

/** Where tombstones are written: outside of what a restore brings back. */
export interface TombstoneLog {
  /** Resolves once the lines survive a crash. Rejects with StorageUnavailable. */
  append(lines: string): Promise<void>;
  /** Returns when it was begun; null if it was not. */
  findStart(): Promise<Date | null>;
  /** Begins it at this time, if it was not. */
  begin(now: Date): Promise<void>;
  /** Yields everything that was appended, in pieces of whole lines. */
  read(): AsyncIterable<string>;
}

/** Remembers what was erased, so that a backup that is restored has it erased again. */
export interface Tombstones {
  /** Stores tombstones. Erase only afterwards: a crash in between leaves something that is erased twice, never not at all. */
  add(tombstones: Tombstone[], now: Date): Promise<void>;
  /** Begins the log; backups made from now on can be restored with it. */
  begin(now: Date): Promise<void>;
  findStart(): Promise<Date | null>;
  /** Yields the tombstones of the log in batches. */
  read(): AsyncIterable<Tombstone[]>;
}

/** Returns the tombstones of a log. */
export const openTombstoneLog = (log: TombstoneLog): Tombstones => ({
  async add(tombstones, now) {
    if (tombstones.length === 0) return;
    await log.begin(now);
    await log.append(tombstones.map((tombstone) => `${JSON.stringify(tombstone)}\n`).join(""));
  },
  begin: (now) => log.begin(now),
  findStart: () => log.findStart(),
  async *read() {
    for await (const lines of log.read()) yield lines.split("\n").flatMap(parseLine);
  },
});

/** Returns the tombstone of a line. One that was cut off by a crash is left out: nothing was erased after it. */
function parseLine(line: string): Tombstone[] {
  try {
    return [Tombstone.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
