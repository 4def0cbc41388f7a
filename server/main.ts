import path from "node:path";
import { type Env, readEnv } from "./env";
import { describeFatalError } from "./process/explain";
import { openHttp } from "./process/http";
import { runProcess } from "./process/lifecycle";
import { setLibraryEnv } from "./process/set-library-env";

/** Returns the settings with the port and the data directory of this process filled in. */
const completeEnv = (env: Env, port: number): Env => ({
  ...env,
  PORT: port,
  BASE_URL: env.BASE_URL === "http://localhost:0" ? `http://localhost:${port}` : env.BASE_URL,
  HUB_DATA_DIR: path.resolve(env.HUB_DATA_DIR),
});

const startedAt = performance.now();
try {
  const dev = process.argv.includes("--dev");
  const parsed = readEnv();
  const http = await openHttp(parsed.PORT);
  const env = completeEnv(parsed, http.port);
  setLibraryEnv(env, dev);
  runProcess(http, async (hooks) => {
    // Imported here because libraries read the environment when they load.
    const { runHub } = await import("./process/run-hub");
    return runHub({ env, http, dev, startedAt }, hooks);
  });
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exit(1);
}
