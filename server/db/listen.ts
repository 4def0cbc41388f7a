import pg from "pg";
import type { Logger } from "../lib/log";
import { lastingConnection } from "./lasting-connection";

interface Options {
  url: string;
  /**
   * Called for each notification with its payload; with an empty one after the connection was lost and may have missed
   * some.
   */
  channels: Record<string, (payload: string) => void>;
  log: Logger;
}

const RETRY_MS = 1_000;

/** Listens to channels of Postgres on a dedicated connection, which reopens when it is lost. Returns a function that stops it. */
export function listenToChannels({ url, channels, log }: Options): () => Promise<void> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const connect = async (isAgain: boolean) => {
    const connection = new pg.Client({ connectionString: url, ...lastingConnection() });
    client = connection;
    connection.on("notification", ({ channel, payload = "" }) => channels[channel]?.(payload));
    connection.on("error", () => undefined);
    connection.once("end", () => {
      if (stopped) return;
      log.warn({ channels: Object.keys(channels) }, "Postgres connection lost");
      timer = setTimeout(() => void connect(true), RETRY_MS);
    });
    try {
      await connection.connect();
      for (const channel of Object.keys(channels)) await connection.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      if (isAgain) for (const onNotification of Object.values(channels)) onNotification("");
    } catch {
      // The listener for "end" opens the next connection.
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
