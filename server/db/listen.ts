import pg from "pg";
import type { Logger } from "../lib/log";

interface Options {
  url: string;
  channel: string;
  log: Logger;
  /** Something was told, with its payload; or the line was down and may have missed it, with none. */
  onNotice: (payload: string) => void;
}

const RETRY_MS = 1_000;

/** Hears a channel of Postgres on a connection of its own, and again when that was lost. Answers how to stop. */
export function listen({ url, channel, log, onNotice }: Options): () => Promise<void> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const open = async (isAgain: boolean) => {
    const line = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = line;
    line.on("notification", ({ payload = "" }) => onNotice(payload));
    line.on("error", () => undefined);
    line.once("end", () => {
      if (stopped) return;
      log.warn({ channel }, "the line to Postgres was lost; opening it again");
      timer = setTimeout(() => void open(true), RETRY_MS);
    });
    try {
      await line.connect();
      await line.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      if (isAgain) onNotice("");
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
