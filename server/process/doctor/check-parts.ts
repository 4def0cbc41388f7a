import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { createServerConnection } from "../../../inngest/server/connection";
import { checkOnline, type OnlineCheck } from "../../catalogue/check-online";
import { readOperatorCatalogue } from "../../catalogue/load";
import type { JobEngine } from "../../context";
import type { Db } from "../../db/client";
import { findFullAuditTime, findVerdict } from "../../domain/audit";
import type { Hub } from "../../domain/hub";
import { countStaleSecrets } from "../../domain/operations";
import type { Env } from "../../env";
import { newId } from "../../lib/id";
import { createLog } from "../../lib/log";
import { getMailer } from "../../lib/mail";
import { yieldOnce } from "../../lib/yield-once";
import { openStorage } from "../../storage/open-storage";
import type { Storage } from "../../storage/storage";
import { fail, type Finding, ok, runCheck, warn } from "./finding";

const PROBE_BYTES = 1_024;
const DAY_MS = 86_400_000;
const MAX_AUDIT_AGE_DAYS = 7;
const MAX_FULL_AUDIT_AGE_DAYS = 31;

/** Checks what a hub on a migrated database uses: storage, job engine, providers, secrets and the last audit. */
export async function checkParts(hub: Hub): Promise<Finding[]> {
  return (
    await Promise.all([
      checkServices(hub),
      runCheck("secret", "Restart the hub, so that it applies its schema.", () => checkSecrets(hub)),
      runCheck("audit", "Run `npm run hub -- audit`.", () => checkAudit(hub)),
    ])
  ).flat();
}

/** Checks the storage, job engine and providers of a hub whose database is missing or not migrated yet. */
export async function checkNewHub(env: Env): Promise<Finding[]> {
  return checkServices({
    env,
    db: null,
    now: () => new Date(),
    storage: (await hasStorage(env)) ? await openStorage(env) : null,
    jobEngine: env.inngest ? createServerConnection(env.inngest, createLog({ LOG_LEVEL: "silent" })) : null,
  });
}

/** Returns whether the storage can be opened without creating its folder. */
const hasStorage = async ({ STORAGE_S3_BUCKET, HUB_DATA_DIR }: Env): Promise<boolean> =>
  STORAGE_S3_BUCKET !== undefined || (await stat(path.join(HUB_DATA_DIR, "files")).catch(() => null)) !== null;

/** The parts of a hub that are checked besides the database. */
interface ServiceParts {
  env: Env;
  now: () => Date;
  /** Null if the database has no tables yet. */
  db: Db | null;
  /** Null if its folder does not exist yet. */
  storage: Storage | null;
  /** Null if the engine is part of the database. */
  jobEngine: Pick<JobEngine, "check"> | null;
}

async function checkServices(parts: ServiceParts): Promise<Finding[]> {
  const { env, storage, jobEngine } = parts;
  const storageRemedy = env.STORAGE_S3_BUCKET
    ? "Check the settings STORAGE_S3_…, and that their key may read, write and delete in the bucket."
    : "Let the hub's user write below HUB_DATA_DIR/files.";
  const engineRemedy = "Check the settings INNGEST_…, and that the server runs.";
  return (
    await Promise.all([
      storage
        ? runCheck("storage", storageRemedy, () => checkStorage(storage, env))
        : [ok("storage", "disk: the first start makes its folder")],
      env.inngest && jobEngine ? runCheck("inngest", engineRemedy, () => checkEngine(jobEngine)) : [],
      runCheck("providers", "Run `npm run hub -- catalogue check` on the catalogue.", () => checkProviders(parts)),
    ])
  ).flat();
}

/** Checks the mail server, if one is configured. */
export async function checkMail(env: Env): Promise<Finding[]> {
  if (!env.SMTP_URL) return [ok("mail", "SMTP_URL is not set: operators set forgotten passwords")];
  const remedy = "Check SMTP_URL: host, port, user and password.";
  return runCheck("mail", remedy, async () => {
    await getMailer(env).check();
    return ok("mail", "the mail server accepts the hub");
  });
}

/** Stores a probe file, reads it back and removes it. */
async function checkStorage(storage: Storage, env: Env): Promise<Finding> {
  const key = newId();
  const content = randomBytes(PROBE_BYTES);
  try {
    await storage.put(key, yieldOnce(content));
    const stored = await storage.open(key);
    if (!stored || !(await buffer(stored)).equals(content)) throw new Error("what was stored could not be read back");
  } finally {
    await storage.remove(key);
  }
  return ok(
    "storage",
    `${env.STORAGE_S3_BUCKET ? `bucket ${env.STORAGE_S3_BUCKET}` : "disk"}: wrote, read and deleted`,
  );
}

async function checkEngine(jobEngine: Pick<JobEngine, "check">): Promise<Finding> {
  await jobEngine.check();
  return ok("inngest", "the server responds");
}

async function checkProviders({ db, env, now }: ServiceParts): Promise<Finding[]> {
  const catalogue = await readOperatorCatalogue({ db, env, now });
  const checks = await checkOnline(catalogue?.models ?? [], { allowHosts: env.OUTBOUND_ALLOW_HOSTS });
  if (checks.length === 0) return [ok("providers", "the catalogue names none that can be asked")];
  const ids = new Set(checks.map(({ provider }) => provider));
  return [...ids].map((id) =>
    describeProvider(
      id,
      checks.filter(({ provider }) => provider === id),
    ),
  );
}

function describeProvider(id: string, checks: OnlineCheck[]): Finding {
  const check = `provider ${id}`;
  const failed = checks.find(({ result }) => result === "failed");
  if (failed) {
    const remedy = `Set its key or address; \`npm run hub -- provider check ${id}\` asks again.`;
    return fail(check, failed.problem ?? "failed", remedy);
  }
  const isAsked = checks.some(({ result }) => result === "ok");
  return ok(check, isAsked ? `knows its key and ${checks.length} models` : "cannot be asked free of charge");
}

async function checkSecrets(hub: Hub): Promise<Finding> {
  const { changed, unreadable } = await countStaleSecrets(hub);
  if (unreadable > 0)
    return fail(
      "secret",
      `${unreadable} stored secrets open with neither HUB_SECRET nor HUB_SECRET_PREVIOUS`,
      "Set HUB_SECRET_PREVIOUS to the secret that encrypted them.",
    );
  if (changed > 0)
    return warn("secret", `HUB_SECRET_PREVIOUS encrypts ${changed} values`, "Run `npm run hub -- secret re-encrypt`.");
  if (hub.previousSecret)
    return warn(
      "secret",
      "HUB_SECRET_PREVIOUS encrypts nothing that is stored any more",
      "Remove it thirty days after you replaced the secret, when the sessions of then have ended.",
    );
  return ok("secret", "opens everything that is encrypted");
}

async function checkAudit(hub: Hub): Promise<Finding> {
  const verdict = await findVerdict(hub);
  const remedy = "Run `npm run hub -- audit` daily.";
  if (!verdict) return warn("audit", "No audit was run yet", remedy);
  if (verdict.violations > 0)
    return fail(
      "audit",
      `The last audit found ${verdict.violations} violations`,
      "See what `npm run hub -- audit` says.",
    );
  const countDays = (since: Date) => Math.floor((hub.now().getTime() - since.getTime()) / DAY_MS);
  const days = countDays(new Date(verdict.finished_at));
  const message = `The last audit, ${days} days ago, found nothing`;
  if (days > MAX_AUDIT_AGE_DAYS) return warn("audit", message, remedy);
  const fullAuditTime = await findFullAuditTime(hub);
  if (!fullAuditTime || countDays(fullAuditTime) > MAX_FULL_AUDIT_AGE_DAYS)
    return warn("audit", `${message}; none read the closed months for a month`, "Run `npm run hub -- audit --full`.");
  return ok("audit", message);
}
