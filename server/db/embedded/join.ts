import type { Logger } from "../../lib/log";
import { findOrStart } from "./find-or-start";
import { openHome } from "./home";
import { initializeCluster } from "./initialise";
import { createMembership, type Membership } from "./membership";

/**
 * Finds the embedded cluster of a data directory, or makes and starts it. A cluster that outlived a killed hub is
 * used again. A `server` is alone of its kind: OperatorError when another has the directory.
 */
export async function joinCluster(dataDir: string, role: "server" | "guest", log: Logger): Promise<Membership> {
  const home = await openHome(dataDir);
  await initializeCluster(home);
  return createMembership(home, role, await findOrStart(home, { role }), log);
}
