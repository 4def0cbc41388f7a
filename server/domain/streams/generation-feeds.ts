import { watchChanges } from "../generations/changes";
import { type Follower, sendTo } from "./follower";
import type { FeedsHub } from "./hub";
import { stateKeyOf, readGenerations, readStates, type StreamedGeneration } from "./read-generations";
import { readLines, type RenderedLine } from "./read-lines";
import { renderGeneration } from "./render-generation";
import { generationAt } from "./step";

/** How often the states of all followed generations are read, in case a notice was lost. */
const POLL_INTERVAL_MS = 2_000;
/** How soon the row of a new reader's generation is read, together with the rows of other new readers. */
const FIRST_READ_MS = 10;

/** A generation that somebody follows. */
interface Feed {
  /** What its readers were shown; undefined until its row is read. */
  state?: string;
  /** The number of the newest line of its log that its readers were sent. */
  line: bigint | null;
  followers: Set<Follower>;
}

/** The generations that readers of this process follow. */
export interface GenerationFeeds {
  /** Sends what comes after the cursor of a follower until the generation has ended. Returns how to stop. */
  follow(id: string, follower: Follower): () => void;
}

/**
 * Returns the feeds of a process. What a reader missed is derived from the row and the last step that it received, so that
 * no step is lost or sent twice. One statement reads the rows of all followed generations that have changed, however many
 * follow them.
 */
export function createGenerationFeeds(hub: FeedsHub): GenerationFeeds {
  const feeds = new Map<string, Feed>();
  const unread = new Set<string>();
  let stopWatching: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

  const sendRow = (row: StreamedGeneration, lines: RenderedLine[] = []) => {
    const feed = feeds.get(row.id);
    if (!feed) return;
    const state = stateKeyOf({ ...row, stored_count: row.stored_outputs.length });
    const isNew = state !== feed.state;
    feed.state = state;
    feed.line = row.line_n;
    const events = new Map<number, Uint8Array>();
    const render = (step: number) => {
      const event = events.get(step) ?? renderGeneration(hub, generationAt(row, step));
      events.set(step, event);
      return event;
    };
    for (const follower of feed.followers) sendTo(follower, row, { isNew, render, lines });
  };
  const cursorsOf = (id: string) => [...(feeds.get(id)?.followers ?? [])].map(({ cursor }) => cursor);
  /** Reads the rows of changed generations, one read at a time, so that no row is shown after a newer one. */
  const read = async () => {
    if (isReading) return;
    isReading = true;
    let ids: string[] = [];
    try {
      while (unread.size > 0) {
        ids = [...unread];
        unread.clear();
        for await (const rows of readGenerations(hub, ids)) {
          const lines = await readLines(hub, rows, cursorsOf);
          for (const row of rows) sendRow(row, lines.get(row.id));
        }
      }
    } catch (error) {
      // Makes the next poll send what was not sent, also to new readers.
      for (const feed of ids.flatMap((id) => feeds.get(id) ?? [])) feed.state = undefined;
      hub.log.debug({ err: error as Error }, "changed generations not read");
    } finally {
      isReading = false;
    }
  };
  const poll = async () => {
    for await (const states of readStates(hub, [...feeds.keys()]))
      for (const { id, line_n, ...state } of states) {
        const feed = feeds.get(id);
        if (feed && (feed.state !== stateKeyOf(state) || feed.line !== line_n)) unread.add(id);
      }
    await read();
  };
  const pollAgain = async () => {
    // The next poll repeats one that failed.
    await poll().catch(() => undefined);
    timer = undefined;
    schedule();
  };
  const schedule = () => {
    if (feeds.size > 0) timer ??= setTimeout(() => void pollAgain(), POLL_INTERVAL_MS).unref();
  };
  const onChanges = (ids: ReadonlySet<string> | null) => {
    for (const id of ids ?? feeds.keys()) if (feeds.has(id)) unread.add(id);
    if (unread.size > 0) void read();
  };

  return {
    follow(id, follower) {
      stopWatching ??= watchChanges(hub, onChanges);
      const feed = feeds.get(id) ?? { line: null, followers: new Set() };
      feed.followers.add(follower);
      feeds.set(id, feed);
      if (unread.size === 0) setTimeout(() => void read(), FIRST_READ_MS).unref();
      unread.add(id);
      schedule();
      return () => {
        feed.followers.delete(follower);
        if (feed.followers.size === 0 && feeds.get(id) === feed) feeds.delete(id);
      };
    },
  };
}
