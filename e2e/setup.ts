import { readFile } from "node:fs/promises";
import path from "node:path";
import { startHub } from "./server";

/** One hub on an empty data directory for all journeys. They find it by the environment. */
export default async function setup(): Promise<() => Promise<void>> {
  const hub = await startHub();
  process.env.E2E_URL = hub.url;
  process.env.E2E_KEY = hub.key;
  process.env.E2E_EMAIL = hub.demo.email;
  process.env.E2E_PASSWORD = hub.demo.password;
  process.env.E2E_SECRET = await readFile(path.join(hub.dataDir, "secret"), "utf8");
  return async () => {
    await hub.stop();
  };
}
