import type { HubParts } from "../../context";
import { findSignedIn, type SessionsHub, type SignedIn } from "../sessions";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";

/** The parts of the hub that identities use. */
export type IdentitiesHub = Pick<HubParts, "db" | "now"> & SessionsHub;

/** A person as an identity provider knows them. */
export interface Identity {
  provider: string;
  subject: string;
  /** Null unless the provider has verified the address. */
  verifiedEmail: string | null;
}

/** Returns the person who is linked to this identity; null if there is none, or they may act for no account. */
export const findByIdentity = (hub: IdentitiesHub, { provider, subject }: Identity): Promise<SignedIn | null> =>
  findSignedIn(hub, { identities: { some: { provider, subject } } });

/** Links a person to an identity, unless the identity is linked already. */
export async function linkIdentity(
  hub: IdentitiesHub,
  { provider, subject }: Identity,
  personId: number,
): Promise<void> {
  await hub.db.prisma.identity.createMany({
    data: { provider, subject, personId, createdAt: hub.now() },
    skipDuplicates: true,
  });
}

/** Removes every identity that is linked to the person `$1`. */
export const unlinkIdentities = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM identity WHERE person_id = $1",
});
