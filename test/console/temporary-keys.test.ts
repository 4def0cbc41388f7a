import { expect, test } from "vitest";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub();

test("a temporary key expires in ten minutes, spends half a euro, is revoked like any other and never listed", async () => {
  const { console } = await newConsoleUser(hub);
  const { id, key } = await console.keys.createTemporary();
  expect(key).toMatch(/^service_sk_/);
  const record = await console.keys.get({ id });
  expect(record).toMatchObject({ spend_limit: 0.5, spend_limit_reset: null, revoked_at: null });
  expect(Math.abs(Date.parse(record.expires_at!) - Date.now() - 600_000)).toBeLessThan(60_000);
  const listIds = async () => (await console.keys.list()).map((one) => one.id);
  expect(await listIds()).toHaveLength(1);
  expect(await listIds()).not.toContain(id);
  await console.keys.revoke({ id });
  expect((await console.keys.get({ id })).revoked_at).not.toBeNull();
  expect(await listIds()).not.toContain(id);
});
