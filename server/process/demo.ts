import type { Hub } from "../context";
import { createAccount } from "../domain/accounts/create";
import { createKey } from "../domain/keys/create";
import { credit } from "../domain/ledger/credit";

const CREDIT = 25_000_000_000n;

/** Gives an empty database an account to try the hub with, and answers its API key; null when there are accounts. */
export async function makeDemo(hub: Hub): Promise<string | null> {
  if (await hub.db.prisma.account.findFirst({ select: { id: true } })) return null;
  const id = await createAccount(hub, { email: "demo@example.org" });
  await credit(hub, id, { amount: CREDIT, reference: "demo", note: "To try the hub with" });
  return (await createKey(hub, id, { name: "demo" })).key;
}
