import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../lib/operator-error";
import { startCluster } from "./cluster";
import { enter, giveUp, urlOf } from "./enter";
import { type Home, openHome } from "./home";
import { initialise } from "./initialise";
import { findPostmaster, stopPostmaster } from "./postmaster";

/** One process's use of an embedded cluster. */
export interface Membership {
  /** Connection string of the hub's database. */
  url: string;
  /** Resolves when the cluster goes away under us; never after `leave`. */
  lost: Promise<void>;
  /** Ends our use; the last user stops the cluster and waits until it is gone. */
  leave(): Promise<void>;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;
const WRONG_PASSWORD = "28P01";
const STARTS = 3;
// Notes left by a crash may name a process that is now another one: then a start, which Postgres itself
// refuses when the notes are true, settles it.
const DOUBT_MS = 3_000;

/**
 * Finds the embedded cluster of a data directory, or makes and starts it. A cluster that outlived a killed hub is
 * used again. A `server` is alone of its kind: OperatorError when another has the directory.
 */
export async function joinCluster(dataDir: string, role: "server" | "guest"): Promise<Membership> {
  const home = await openHome(dataDir);
  await initialise(home);
  let child: ChildProcess | undefined;
  let starts = 0;
  const began = Date.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = Date.now() - began) {
    const running = await findPostmaster(home.data);
    const entered = running && (await tryToEnter(running.port, home, role));
    if (entered) return entered;
    const starting = child && child.exitCode === null && child.signalCode === null && child.pid !== undefined;
    if (!starting && (!running || (waited > DOUBT_MS && starts === 0))) {
      if (starts === STARTS) break;
      starts += 1;
      child = await start(home);
    }
    await sleep(PAUSE_MS);
  }
  throw new OperatorError(`The embedded Postgres did not start; its own account of it is in ${home.log}.`);
}

async function tryToEnter(port: number, home: Home, role: "server" | "guest"): Promise<Membership | null> {
  const client = await enter(port, home.password, role).catch((error: unknown) => {
    if (isPassing(error)) return null;
    if ((error as { code?: string }).code !== WRONG_PASSWORD) throw error;
    throw new OperatorError(`The embedded Postgres in ${home.data} does not know the password kept beside it.`);
  });
  if (!client) return null;
  let left = false;
  return {
    url: urlOf(port, home.password),
    lost: new Promise((resolve) => client.once("end", () => !left && resolve())),
    async leave() {
      left = true;
      if (await giveUp(client).catch(() => false)) await stopPostmaster(home.data);
      await client.end().catch(() => undefined);
    },
  };
}

// It is about to come or to go (SQLSTATE 57P), or went while we spoke.
function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return /^(ECONNREFUSED|ECONNRESET|EPIPE|57P..)$/.test(code ?? "") || /terminated|timeout/i.test(message ?? "");
}

const settings = { log_min_messages: "warning", log_checkpoints: "off", timezone: "UTC", log_timezone: "UTC" };

async function start(home: Home): Promise<ChildProcess> {
  const child = await startCluster({ ...home, port: await freePort() }, settings);
  // An exit is found by looking; without a listener a failed spawn would end the process.
  child.once("error", () => undefined);
  return child;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
