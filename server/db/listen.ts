import pg from "pg";
import type { Logger } from "../lib/log";

interface Options {
  url: string;
  /** What is called when something is told on a channel, with its payload; with none when the line was down and may have missed it. */
  channels: Record<string, (payload: string) => void>;
  log: Logger;
}

const RETRY_MS = 1_000;

/** Hears channels of Postgres on a connection of its own, and again when that was lost. Answers how to stop. */
export function listenToChannels({ url, channels, log }: Options): () => Promise<void> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const open = async (isAgain: boolean) => {
    const line = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = line;
    line.on("notification", ({ channel, payload = "" }) => channels[channel]?.(payload));
    line.on("error", () => undefined);
    line.once("end", () => {
      if (stopped) return;
      log.warn({ channels: Object.keys(channels) }, "the line to Postgres was lost; opening it again");
      timer = setTimeout(() => void open(true), RETRY_MS);
    });
    try {
      await line.connect();
      for (const channel of Object.keys(channels)) await line.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      if (isAgain) for (const tell of Object.values(channels)) tell("");
    } catch {
      // A failed connection ends as well, and is tried again there.
      await line.end().catch(() => undefined);
    }
  };
  void open(false);

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}
