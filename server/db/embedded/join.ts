import type { Logger } from "../../lib/log";
import { OperatorError } from "../../lib/operator-error";
import { findOrStart } from "./find-or-start";
import { openHome, type Home } from "./home";
import { createMembership, type Membership } from "./membership";
import { createCluster } from "./cluster";
import { removeAbandonedDrafts } from "./draft";

/**
 * Finds the embedded cluster of a data directory, or makes and starts it. A cluster that outlived a killed hub is used
 * again. Throws OperatorError for a second `server` of one directory.
 */
export async function joinCluster(dataDir: string, role: "server" | "guest", log: Logger): Promise<Membership> {
  const home = await openHome(dataDir);
  await initializeCluster(home);
  return createMembership(home, role, await findOrStart(home, { role }), log);
}

/** Creates the cluster of a home unless it exists. Throws OperatorError with Postgres' own reason when that fails. */
async function initializeCluster(home: Home): Promise<void> {
  await removeAbandonedDrafts(home.data);
  try {
    await createCluster(home, home.password);
  } catch (error) {
    const lastLine = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    const reason = lastLine || (error as Error).message;
    throw new OperatorError(
      `The embedded Postgres could not be created (${reason}): set DATABASE_URL to use another one.`,
    );
  }
}
