import { randomUUID } from "node:crypto";
import type { HubParts } from "../../../context";
import { array, nullable, text } from "../../../db/column-types";
import { statement } from "../../../db/statement";

/** The NOTIFY channel by which processes share which generations have changed. */
export const CHANGES_CHANNEL = "hub_generation_changes";

const BATCH_MS = 20;
// The payload of NOTIFY is limited to 8,000 bytes.
const IDS_PER_NOTICE = 200;

/** Called with the ids of changed generations; with null when notices may have been lost. */
type OnChanges = (ids: ReadonlySet<string> | null) => void;

/** The notices of one process. They are hints: a process that is killed sends none, and the rows remain the source of truth. */
interface ChangeNotices {
  report(id: string): void;
  /** Handles a notice of another process; an empty one means that some may have been lost. */
  receive(payload: string): void;
  watch(onChanges: OnChanges): () => void;
}

export interface ChangeServices {
  changes: ChangeNotices;
}

/**
 * Returns the notices of a process. They are sent in batches on a separate connection after the commits: a NOTIFY inside a
 * transaction makes its commit wait for those of the whole database.
 */
export function createChangeServices({ db, log }: Pick<HubParts, "db" | "log">): ChangeServices {
  const sender = randomUUID();
  const watchers = new Set<OnChanges>();
  let pending = new Set<string>();

  const tellWatchers = (ids: ReadonlySet<string> | null) => {
    for (const onChanges of watchers) onChanges(ids);
  };
  const send = () => {
    const ids = pending;
    pending = new Set();
    tellWatchers(ids);
    const all = [...ids];
    const payloads: string[] = [];
    for (let start = 0; start < all.length; start += IDS_PER_NOTICE)
      payloads.push([sender, ...all.slice(start, start + IDS_PER_NOTICE)].join());
    void notify(db, CHANGES_CHANNEL, payloads).catch((error: unknown) =>
      log.debug({ err: error as Error }, "changes of generations not announced"),
    );
  };

  return {
    changes: {
      report(id) {
        if (pending.size === 0) setTimeout(send, BATCH_MS);
        pending.add(id);
      },
      receive(payload) {
        const [from, ...ids] = payload.split(",");
        if (payload === "") tellWatchers(null);
        else if (from !== sender) tellWatchers(new Set(ids));
      },
      watch(onChanges) {
        watchers.add(onChanges);
        return () => void watchers.delete(onChanges);
      },
    },
  };
}

const notify = statement({
  params: [text, array(text)],
  row: { notified: nullable(text) },
  text: "SELECT pg_notify($1, payload)::text AS notified FROM unnest($2::text[]) AS payload",
});

/** Reports that a change of a generation was committed: its status, its progress or its place in a queue. */
export const reportChange = ({ services }: { services: ChangeServices }, id: string): void =>
  services.changes.report(id);

/** Calls `onChanges` for the changes that any process reports. Returns how to stop that. */
export const watchChanges = ({ services }: { services: ChangeServices }, onChanges: OnChanges): (() => void) =>
  services.changes.watch(onChanges);
