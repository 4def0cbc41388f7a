import { randomBytes } from "node:crypto";
import { hasAccounts } from "../domain/accounts";
import type { Hub } from "../domain/hub";
import { createAccount } from "../domain/people";
import { hashPassword } from "../domain/passwords";
import { createKey } from "../domain/keys";
import { creditAccount } from "../domain/ledger";

const CREDIT_NANO = 25_000_000_000n;

export interface Demo {
  email: string;
  password: string;
  key: string;
}

/** Creates a demo account in an empty database and returns its credentials; null when there are accounts. */
export async function createDemo(hub: Hub): Promise<Demo | null> {
  if (await hasAccounts(hub)) return null;
  const email = "demo@example.org";
  const password = randomBytes(9).toString("base64url");
  const id = await createAccount(hub, { email, passwordHash: await hashPassword(password), verified: true });
  await creditAccount(hub, id, { amount: CREDIT_NANO, reference: "demo", note: "To try the hub with" });
  const { key } = await createKey(hub, id, { name: "demo" });
  return { email, password, key };
}
