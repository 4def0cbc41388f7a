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

  const connect = async (isAgain: boolean) => {
    const connection = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = connection;
    connection.on("notification", ({ channel, payload = "" }) => channels[channel]?.(payload));
    connection.on("error", () => undefined);
    connection.once("end", () => {
      if (stopped) return;
      log.warn({ channels: Object.keys(channels) }, "the line to Postgres was lost; opening it again");
      timer = setTimeout(() => void connect(true), RETRY_MS);
    });
    try {
      await connection.connect();
      for (const channel of Object.keys(channels)) await connection.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      if (isAgain) for (const onNotification of Object.values(channels)) onNotification("");
    } catch {
      // A failed connection ends as well, and is tried again there.
      await connection.end().catch(() => undefined);
    }
  };
  void connect(false);

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}
