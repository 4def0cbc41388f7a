import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { createAccount } from "../../server/domain/people/create-account";
import { redeemVoucher } from "../../server/domain/vouchers/redeem";
import { createVoucher } from "../../server/domain/vouchers/voucher";
import { openDb } from "../../server/db/client";
import { readEnv } from "../../server/env";
import { newId } from "../../server/lib/id";
import { createBackup } from "../../server/process/backup/create-backup";
import { restoreBackup } from "../../server/process/backup/restore-backup";
import { emptyDatabase } from "../database";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-vouchers-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const tombstones = path.join(folder, "tombstones");
const hub = await testHub({ TOMBSTONES_PATH: tombstones });
const envOf = (databaseUrl: string, dataDir: string) =>
  readEnv({
    LOG_LEVEL: "silent",
    HUB_SECRET: hub.secret,
    DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: dataDir,
    TOMBSTONES_PATH: tombstones,
  });
const newOwner = async () => ownerSession(hub, await createAccount(hub, { email: `${newId()}@example.org` }));
const newVoucher = () =>
  createVoucher(hub, testOperator, { amount: 1_000_000_000n, maxRedemptions: 2, expiresAt: null });

test("a restored backup has vouchers that were redeemed since redeemed again, and lists those that it does not know", async () => {
  const [before, since] = [await newOwner(), await newOwner()];
  const { code, record } = await newVoucher();
  await redeemVoucher(before, code);
  const backup = path.join(folder, "backup.tar");
  await createBackup(envOf(hub.databaseUrl, hub.folder), backup);
  await redeemVoucher(since, code);
  const later = await newVoucher();
  await redeemVoucher(since, later.code);

  const url = await emptyDatabase();
  const { restored, audit } = await restoreBackup(
    envOf(url, await mkdtemp(path.join(folder, "twin-"))),
    backup,
    testOperator,
  );
  expect(restored.redemptions).toEqual({
    restored: 1,
    left_out: [{ voucher: later.record.id, account: since.account.id }],
  });
  expect(audit.violations).toEqual([]);
  const db = openDb(url, 3);
  try {
    const accounts = await db.query("SELECT id, promotional FROM account WHERE id = ANY ($1) ORDER BY id", [
      [before.account.id, since.account.id],
    ]);
    expect(accounts).toEqual([
      { id: before.account.id, promotional: 1_000_000_000n },
      { id: since.account.id, promotional: 1_000_000_000n },
    ]);
    const [voucher] = await db.query("SELECT redemptions FROM voucher WHERE id = $1", [record.id]);
    expect(voucher).toEqual({ redemptions: 2 });
    await expect(redeemVoucher({ ...since, hub: deriveHub(hub, { db }) }, code)).rejects.toMatchObject({
      code: "invalid_state",
    });
  } finally {
    await db.close();
  }
});
