import path from "node:path";
import { type Env, readEnv } from "./env";
import { describeFatalError } from "./process/explain";
import { openHttp } from "./process/http";
import { runProcess } from "./process/lifecycle";
import { setLibraryEnv } from "./process/set-library-env";

/** The settings, with what only the process knows: where it listens, and from where it was called. */
const settle = (env: Env, port: number): Env => ({
  ...env,
  PORT: port,
  BASE_URL: env.BASE_URL === "http://localhost:0" ? `http://localhost:${port}` : env.BASE_URL,
  HUB_DATA_DIR: path.resolve(env.HUB_DATA_DIR),
});

const began = performance.now();
try {
  const dev = process.argv.includes("--dev");
  const given = readEnv();
  const http = await openHttp(given.PORT);
  const env = settle(given, http.port);
  setLibraryEnv(env, dev);
  runProcess(http, async (hooks) => {
    // Loaded only now: libraries read the environment as they load.
    const { runHub } = await import("./process/run-hub");
    return runHub({ env, http, dev, began }, hooks);
  });
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exit(1);
}
