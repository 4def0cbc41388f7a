import { randomBytes } from "node:crypto";
import { chown, rm, stat, writeFile } from "node:fs/promises";
import { OperatorError } from "../../lib/operator-error";
import { makeCluster } from "./cluster";
import type { Home } from "./home";

/** Makes the cluster of a home unless it stands. OperatorError with Postgres' own reason when that fails. */
export async function initialise(home: Home): Promise<void> {
  if (await stat(home.data).catch(() => null)) return;
  const passwordFile = `${home.data}-${randomBytes(6).toString("hex")}.password`;
  await writeFile(passwordFile, home.password, { mode: 0o600 });
  try {
    if (home.owner) await chown(passwordFile, home.owner.uid, home.owner.gid);
    await makeCluster(home, passwordFile);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    const reason = said || (error as Error).message;
    throw new OperatorError(`The embedded Postgres could not be made (${reason}); DATABASE_URL can name another one.`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}
