import { OperatorError } from "../../lib/operator-error";
import { makeCluster } from "./cluster";
import { removeAbandonedDrafts } from "./draft";
import type { Home } from "./home";

/** Makes the cluster of a home unless it stands. OperatorError with Postgres' own reason when that fails. */
export async function initialise(home: Home): Promise<void> {
  await removeAbandonedDrafts(home.data);
  try {
    await makeCluster(home, home.password);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    const reason = said || (error as Error).message;
    throw new OperatorError(`The embedded Postgres could not be made (${reason}); DATABASE_URL can name another one.`);
  }
}
