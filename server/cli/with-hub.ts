import type { Hub } from "../context";
import { type Env, readEnv } from "../env";
import { composeHub } from "../hub";
import { openDataDir } from "../process/data-dir";
import { openDatabase } from "../process/database";

/** Runs one command on the hub's database, beside a running server or without one, and lets go of it again. */
export async function withHub<T>(work: (hub: Hub) => Promise<T>): Promise<T> {
  const given = readEnv();
  const env: Env = { ...given, HUB_DATA_DIR: await openDataDir(given.HUB_DATA_DIR) };
  const database = await openDatabase(env, "guest");
  try {
    // No command needs the models, and a catalogue that cannot be used must not bar the one that mends it.
    const composition = await composeHub(env, database.url, async () => new Map());
    try {
      return await work(composition.hub);
    } finally {
      await composition.close();
    }
  } finally {
    await database.leave();
  }
}
