import type pg from "pg";
import type { Logger } from "../../lib/log";
import { OperatorError } from "../../lib/operator-error";
import { findOrStart } from "./find-or-start";
import type { Home } from "./home";

const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/**
 * Returns what takes the server's place in a cluster again: starts the cluster when it has died, on the same port, where
 * all connections find it. It rejects with an OperatorError when the cluster dies more often than three times a minute.
 */
export function createReviver(home: Home, port: number, log: Logger): () => Promise<pg.Client> {
  let restarts: number[] = [];
  return async () => {
    let isRestart = false;
    const onStart = () => {
      if (isRestart) return;
      const now = performance.now();
      restarts = restarts.filter((at) => now - at < RESTART_WINDOW_MS);
      if (restarts.length === MAX_RESTARTS) throw restartLimitError(home);
      restarts.push(now);
      isRestart = true;
      log.error({ postgresLog: home.log }, "the embedded Postgres has ended; starting it again");
    };
    const { client } = await findOrStart(home, { role: "server", port, onStart });
    log.warn(isRestart ? "the embedded Postgres runs again" : "a connection to the embedded Postgres was opened again");
    return client;
  };
}

const restartLimitError = ({ log }: Home) =>
  new OperatorError(
    `The embedded Postgres has ended ${MAX_RESTARTS + 1} times within a minute, and the hub ends with it; its own account of it is in ${log}.`,
  );
