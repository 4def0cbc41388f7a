import cluster from "node:cluster";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { Membership } from "./db/embedded/membership";
import { type Env, readEnv } from "./env";
import { createLog, logLibraryOutput } from "./lib/log";
import { describeFatalError } from "./lib/operator-error";
import { openDataDir } from "./process/data-dir";
import { joinDatabase, openDatabase } from "./process/database";
import { openHttp } from "./process/http";
import { libraryEnv } from "./process/library-env";
import { runProcess } from "./process/lifecycle";
import { FIRST, READY, superviseProcesses } from "./process/supervisor";

/** Returns the settings with the port and the data directory of this process filled in. */
const completeEnv = (env: Env, port: number): Env => ({
  ...env,
  PORT: port,
  BASE_URL: env.BASE_URL === "http://localhost:0" ? `http://localhost:${port}` : env.BASE_URL,
  HUB_DATA_DIR: path.resolve(env.HUB_DATA_DIR),
});

/** Opens the database of this process. With several processes, the parent has already opened and migrated it. */
const openHubDatabase = (env: Env): Promise<Membership> =>
  cluster.isPrimary ? openDatabase(env, "server") : joinDatabase(env, "guest");

/** Serves in this process, which may be one of several on the same port. */
async function serve(parsed: Env, dev: boolean): Promise<void> {
  const http = await openHttp(parsed.PORT, { listens: cluster.isPrimary ? "at once" : "to serve" });
  const env = completeEnv(parsed, http.port);
  // A plain object, because Inngest's SDK copies the environment seven times a call, and Node's own asks the system for
  // each variable: a fifth of a call's time.
  process.env = { ...process.env, ...libraryEnv(env, dev) };
  const log = createLog(env);
  // Libraries warn as they load.
  if (!dev) logLibraryOutput(log);
  runProcess(http, log, async (hooks) => {
    // Before the code of the hub loads, so that a folder that cannot be used is reported at once.
    await openDataDir(env.HUB_DATA_DIR);
    // Postgres starts while the code of the hub loads.
    const database = openHubDatabase(env);
    const nothing = () => undefined;
    database.catch(nothing);
    hooks.stop.push(() => database.then((opened) => opened.leave(), nothing));
    hooks.kill.push(() => database.then((opened) => opened.kill(), nothing));
    // Imported here because libraries read the environment when they load.
    const { runHub } = await import("./process/run-hub");
    const isFirst = cluster.isPrimary || process.argv.includes(FIRST);
    const hub = await runHub({ env, http, dev, isFirst, startedAt, database }, hooks);
    process.send?.(READY);
    return hub;
  });
}

const startedAt = performance.now();
// Under load, V8 would let garbage grow to several times the size of the live objects before it collects it, which is
// hundreds of megabytes.
setFlagsFromString("--heap-growing-percent=100");
try {
  const dev = process.argv.includes("--dev");
  const env = readEnv();
  // Next watches the sources in one process.
  if (env.HUB_PROCESSES > 1 && cluster.isPrimary && !dev) superviseProcesses(env, fileURLToPath(import.meta.url));
  else await serve(env, dev);
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exit(1);
}
