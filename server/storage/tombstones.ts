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

const Redemption = z.object({
  kind: z.literal("redemption"),
  /** The id of the voucher. */
  id: z.uuid(),
  account: z.int().min(1).max(2_147_483_647),
  /** When the account was created. */
  created_at: z.iso.datetime(),
});

/** A voucher that an account has redeemed, so that a restored backup does not let it redeem the voucher again. */
export type Redemption = z.output<typeof Redemption>;

/** A line of the log. */
const Line = z.union([Tombstone, Redemption]);

/** Where tombstones are written: outside of what a restore brings back. */
export interface TombstoneLog {
  /** Resolves once the lines survive a crash. Rejects with StorageUnavailable. */
  append(lines: string): Promise<void>;
  /** Returns when the log was begun; null if it was not. */
  findStart(): Promise<Date | null>;
  /** Begins the log at this time unless it was begun before. */
  begin(now: Date): Promise<void>;
  /** Yields everything that was appended, in pieces of whole lines. */
  read(): AsyncIterable<string>;
}

/** Remembers what a restored backup must not undo: what was erased, and which vouchers were redeemed. */
export interface Tombstones {
  /** Stores lines. Erase only afterwards: a crash in between then leads to a repeated erasure instead of a forgotten one. */
  add(lines: z.output<typeof Line>[], now: Date): Promise<void>;
  /** Begins the log; backups made from now on can be restored with it. */
  begin(now: Date): Promise<void>;
  findStart(): Promise<Date | null>;
  /** Yields the lines of the log in batches. */
  read(): AsyncIterable<{ tombstones: Tombstone[]; redemptions: Redemption[] }>;
}

/** Returns the tombstones of a log. */
export const openTombstoneLog = (log: TombstoneLog): Tombstones => ({
  async add(lines, now) {
    if (lines.length === 0) return;
    await log.begin(now);
    await log.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  },
  begin: (now) => log.begin(now),
  findStart: () => log.findStart(),
  async *read() {
    for await (const text of log.read()) {
      const lines = text.split("\n").flatMap(parseLine);
      yield {
        tombstones: lines.filter((line) => line.kind !== "redemption"),
        redemptions: lines.filter((line) => line.kind === "redemption"),
      };
    }
  },
});

/** Returns the content of a line. One that was cut off by a crash is left out: nothing was erased after it. */
function parseLine(line: string): z.output<typeof Line>[] {
  try {
    return [Line.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
