import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../lib/log";
import { OperatorError } from "../../lib/operator-error";
import { leaveCluster, databaseUrl } from "./enter-cluster";
import { type Entry, findOrStart } from "./find-or-start";
import type { Home } from "./home";
import { findPostmaster, signalPostmaster, stopPostmaster } from "./postmaster";

/** One process's use of a database. */
export interface Membership {
  /** Connection string of the hub's database. */
  url: string;
  /** Resolves with the reason if the database is lost for good; never after `leave`. */
  lost: Promise<string>;
  /** Ends this use; the last user of an embedded cluster stops it and waits until it has ended. */
  leave(): Promise<void>;
  /** The same without waiting, for a process that ends abruptly: nothing committed is lost. */
  kill(): Promise<void>;
}

const CHECK_MS = 1_000;
const KILL_TIMEOUT_MS = 1_000;

/**
 * Keeps this process's place in a running cluster. A server enters again when its connection ends, and starts the
 * cluster again when it has died; a guest stays only until then.
 */
export function createMembership(home: Home, role: "server" | "guest", entry: Entry, log: Logger): Membership {
  let { client, postmaster } = entry;
  let isLeaving = false;
  let reviving: Promise<void> | undefined;
  let resolveLost: (reason: string) => void;
  const lost = new Promise<string>((resolve) => (resolveLost = resolve));

  const revive = createReviver(home, postmaster.port, log);
  const holdConnection = (entering: Entry) => {
    ({ client, postmaster } = entering);
    void entering.ended.then(() => {
      if (role === "server" && !isLeaving)
        reviving = revive().then(holdConnection, (error: Error) => resolveLost(error.message));
    });
  };
  holdConnection(entry);

  // A postmaster that was asked to end accepts no new clients, and waits for the connected ones: it would do so for as
  // long as the hub's connections live.
  const check = async () => {
    const running = await findPostmaster(home.data);
    if (running?.isStopping && !isLeaving) process.kill(running.pid, "SIGINT");
  };
  const timer = setInterval(() => void check().catch(() => undefined), CHECK_MS).unref();
  if (role === "guest") clearInterval(timer);

  return {
    url: databaseUrl(postmaster.port, home.password),
    lost,
    async leave() {
      isLeaving = true;
      clearInterval(timer);
      await reviving;
      if (await leaveCluster(client).catch(() => false)) await stopPostmaster(home.data, postmaster);
      await client.end().catch(() => undefined);
    },
    async kill() {
      isLeaving = true;
      const isLast = await Promise.race([leaveCluster(client).catch(() => true), sleep(KILL_TIMEOUT_MS, true)]);
      if (isLast) await signalPostmaster(home.data, postmaster, "SIGQUIT");
    },
  };
}

const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/**
 * Returns a function that enters a cluster again as its server, and starts it when it has died, on the same port, where
 * all connections find it. It rejects with an OperatorError when the cluster dies more often than three times a minute.
 */
function createReviver(home: Home, port: number, log: Logger): () => Promise<Entry> {
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
    const entry = await findOrStart(home, { role: "server", port, onStart });
    log.warn(isRestart ? "the embedded Postgres runs again" : "a connection to the embedded Postgres was opened again");
    return entry;
  };
}

const restartLimitError = ({ log }: Home) =>
  new OperatorError(
    `The embedded Postgres has ended ${MAX_RESTARTS + 1} times within a minute, so the hub stops: see ${log}.`,
  );
