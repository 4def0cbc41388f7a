import { stat } from "node:fs/promises";
import path from "node:path";
import { type Env, EnvError, readEnv } from "../../env";
import { composeHub } from "../../compose-hub";
import { joinDatabase, withConnection } from "../database";
import { checkDatabase } from "./check-database";
import { checkDataDir } from "./check-data-dir";
import { checkMail, checkNewHub, checkParts } from "./check-parts";
import { checkSettings, checkVersions } from "./check-settings";
import { fail, type Finding, ok, runCheck } from "./finding";

/** For everything that needs the database; each check in it has a shorter limit. */
const MAX_MS = 90_000;

/**
 * Checks the settings, and whether this machine reaches every service that they name. Changes nothing: applies no
 * migration, creates no database, and removes its probe file from the storage.
 */
export async function runDoctor(source?: Record<string, string | undefined>): Promise<Finding[]> {
  const env = readSettings(source);
  if (Array.isArray(env)) return [...checkVersions(), ...env];
  const [dataDir, mail] = await Promise.all([
    runCheck("data directory", "Check HUB_DATA_DIR.", () => checkDataDir(env)),
    checkMail(env),
  ]);
  const local = [...checkVersions(), ...checkSettings(env), ...dataDir, ...mail];
  if (env.embedded && !(await hasCluster(env)))
    return [
      ...local,
      ok("database", "The hub brings its own Postgres, which its first start makes"),
      ...(await checkNewHub(env)),
    ];
  return [...local, ...(await runCheck("database", databaseRemedy(env), () => checkInDatabase(env), MAX_MS))];
}

function readSettings(source?: Record<string, string | undefined>): Env | Finding[] {
  try {
    const env = readEnv(source);
    return { ...env, HUB_DATA_DIR: path.resolve(env.HUB_DATA_DIR) };
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return error.message
      .split("\n")
      .map((issue) => fail("settings", issue, "Correct it in the environment or in .env; .env.example describes it."));
  }
}

const hasCluster = ({ HUB_DATA_DIR }: Env): Promise<boolean> =>
  stat(path.join(HUB_DATA_DIR, "postgres.password")).then(
    () => true,
    () => false,
  );

const databaseRemedy = ({ embedded }: Env): string =>
  embedded
    ? "See postgres.log in the data directory."
    : "Check DATABASE_URL, and that the server accepts this machine.";

async function checkInDatabase(env: Env): Promise<Finding[]> {
  const database = await joinDatabase(env, "guest");
  try {
    const found = await withConnection(database.url, (client) => checkDatabase(client, env));
    const isMigrated = found.some(({ check, status }) => check === "schema" && status === "ok");
    return [...found, ...(await (isMigrated ? checkHub(env, database.url) : checkNewHub(env)))];
  } finally {
    await database.leave();
  }
}

function checkHub(env: Env, databaseUrl: string): Promise<Finding[]> {
  return runCheck(
    "hub",
    "Correct what the message names.",
    async () => {
      // The catalogue has its own check.
      const composition = await composeHub({ ...env, LOG_LEVEL: "silent" }, databaseUrl, () =>
        Promise.resolve(new Map()),
      );
      try {
        return await checkParts(composition.hub);
      } finally {
        await composition.close();
      }
    },
    MAX_MS,
  );
}
