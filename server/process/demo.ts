import { randomBytes } from "node:crypto";
import type { Hub } from "../context";
import { hasAccounts } from "../domain/accounts/account";
import { createAccount } from "../domain/people/create-account";
import { hashPassword } from "../domain/people/password";
import { createKey } from "../domain/keys/create";
import { creditAccount } from "../domain/ledger/credit";

const CREDIT_NANO = 25_000_000_000n;

export interface Demo {
  email: string;
  password: string;
  key: string;
}

/** Creates the demo account in an empty database. Returns its credentials; null if the database has accounts. */
export async function createDemo(hub: Hub): Promise<Demo | null> {
  if (await hasAccounts(hub)) return null;
  const email = "demo@example.org";
  const password = randomBytes(9).toString("base64url");
  const id = await createAccount(hub, { email, passwordHash: await hashPassword(password), verified: true });
  await creditAccount(hub, id, { amount: CREDIT_NANO, reference: "demo", note: "To try the hub with" });
  const { key } = await createKey(hub, id, { name: "demo" });
  return { email, password, key };
}
