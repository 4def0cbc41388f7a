import { OperatorError } from "../../lib/operator-error";
import { createCluster } from "./cluster";
import { removeAbandonedDrafts } from "./draft";
import type { Home } from "./home";

/** Makes the cluster of a home unless it stands. OperatorError with Postgres' own reason when that fails. */
export async function initializeCluster(home: Home): Promise<void> {
  await removeAbandonedDrafts(home.data);
  try {
    await createCluster(home, home.password);
  } catch (error) {
    const lastLine = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    const reason = lastLine || (error as Error).message;
    throw new OperatorError(`The embedded Postgres could not be made (${reason}); DATABASE_URL can name another one.`);
  }
}
