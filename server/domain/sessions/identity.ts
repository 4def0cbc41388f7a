import type { Hub } from "../../context";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { SignedIn } from "./sign-in";

/** A person as an identity provider knows them. */
export interface Identity {
  provider: string;
  subject: string;
  /** Null unless the provider has verified the address. */
  verifiedEmail: string | null;
}

/** Returns the account that is linked to this identity; null when there is none, or it is suspended. */
export async function findByIdentity(hub: Hub, { provider, subject }: Identity): Promise<SignedIn | null> {
  return hub.db.prisma.account.findFirst({
    where: { suspended: false, identities: { some: { provider, subject } } },
    select: { id: true, email: true, sessionVersion: true },
  });
}

/** Links an account to an identity, unless the identity is linked already. */
export async function linkIdentity(hub: Hub, { provider, subject }: Identity, accountId: number): Promise<void> {
  const data = { provider, subject, accountId, createdAt: hub.now() };
  await hub.db.prisma.identity.createMany({ data, skipDuplicates: true });
}

/** Removes every identity that is linked to the account `$1`. */
export const unlinkIdentities = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM identity WHERE account_id = $1",
});
