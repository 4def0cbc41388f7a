import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "../../lib/log";
import { leaveCluster, databaseUrl } from "./enter";
import type { Entry } from "./find-or-start";
import type { Home } from "./home";
import { createReviver } from "./revive-cluster";
import { findPostmaster, signalPostmaster, stopPostmaster } from "./postmaster";

/** One process's use of a database. */
export interface Membership {
  /** Connection string of the hub's database. */
  url: string;
  /** Resolves with the reason when the database is gone for good; never after `leave`. */
  lost: Promise<string>;
  /** Ends our use; the last user of an embedded cluster stops it and waits until it is gone. */
  leave(): Promise<void>;
  /** The same at once, for a process that ends without order: nothing committed is lost. */
  kill(): Promise<void>;
}

const CHECK_MS = 1_000;
const KILL_TIMEOUT_MS = 1_000;

/**
 * Keeps a place in a running cluster. The place of a server is taken again when its connection ends, and the cluster
 * started again when it has died; a guest stays only until then.
 */
export function createMembership(home: Home, role: "server" | "guest", entry: Entry, log: Logger): Membership {
  let client: pg.Client;
  let isLeaving = false;
  let reviving: Promise<void> | undefined;
  let resolveLost: (reason: string) => void;
  const lost = new Promise<string>((resolve) => (resolveLost = resolve));

  const revive = createReviver(home, entry.port, log);
  const holdConnection = (entering: pg.Client) => {
    client = entering;
    client.once("end", () => {
      if (role === "server" && !isLeaving)
        reviving = revive().then(holdConnection, (error: Error) => resolveLost(error.message));
    });
  };
  holdConnection(entry.client);

  // A postmaster that was asked to end waits for its clients, and takes no new ones: it would do so for as long as the
  // hub's connections live.
  const check = async () => {
    const running = await findPostmaster(home.data);
    if (running?.isStopping && !isLeaving) process.kill(running.pid, "SIGINT");
  };
  const timer = setInterval(() => void check().catch(() => undefined), CHECK_MS).unref();
  if (role === "guest") clearInterval(timer);

  return {
    url: databaseUrl(entry.port, home.password),
    lost,
    async leave() {
      isLeaving = true;
      clearInterval(timer);
      await reviving;
      if (await leaveCluster(client).catch(() => false)) await stopPostmaster(home.data);
      await client.end().catch(() => undefined);
    },
    async kill() {
      isLeaving = true;
      const isLast = await Promise.race([leaveCluster(client).catch(() => true), sleep(KILL_TIMEOUT_MS, true)]);
      if (isLast) await signalPostmaster(home.data, "SIGQUIT");
    },
  };
}
