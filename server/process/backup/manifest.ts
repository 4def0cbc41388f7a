import { createHash } from "node:crypto";
import { z } from "zod";

/** Describes a backup. It is written last: a backup without a manifest is incomplete. */
export const Manifest = z.object({
  format: z.literal("generation-hub-backup"),
  version: z.literal(1),
  /** The version of the hub that made it. */
  hub: z.string(),
  created_at: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
  files: z.number(),
  /** The number of entries before the manifest. */
  entries: z.number(),
  /** SHA-256 of the lines that `checksumLine` returns for these entries, in order. */
  digest: z.string(),
});

export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = "manifest.json";

/** Returns a line in the format of `sha256sum`. */
export const checksumLine = (name: string, content: Buffer): string =>
  `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
