import type { HubParts } from "../../context";
import { findSignedIn, type SessionsHub, type SignedIn } from "../sessions";
import { int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** The parts of the hub that identities use. */
export type IdentitiesHub = Pick<HubParts, "db" | "now"> & SessionsHub;

/** A person as an identity provider knows them. */
export interface Identity {
  provider: string;
  /** Of an OpenID provider, because another one may give the same subject to somebody else; null for GitHub and Google. */
  issuer: string | null;
  subject: string;
  /** Null unless the provider has verified the address. */
  verifiedEmail: string | null;
}

/** Returns the person who is linked to this identity; null if there is none, or they may act for no account. */
export const findByIdentity = (hub: IdentitiesHub, { provider, issuer, subject }: Identity): Promise<SignedIn | null> =>
  findSignedIn(hub, { identities: { some: { provider, issuer, subject } } });

/** Links a person to an identity, unless it is linked already. It replaces the same subject of an earlier issuer. */
export const linkIdentity = (
  { db, now }: IdentitiesHub,
  { provider, issuer, subject }: Identity,
  personId: number,
): Promise<unknown> => insertIdentity(db, provider, issuer, subject, personId, now());

const insertIdentity = statement({
  params: [text, nullable(text), text, int4, timestamptz],
  row: {},
  text: `
    INSERT INTO identity (provider, issuer, subject, person_id, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (provider, subject) DO UPDATE
      SET issuer = excluded.issuer, person_id = excluded.person_id, created_at = excluded.created_at
      WHERE identity.issuer IS DISTINCT FROM excluded.issuer`,
});

/** Binds the identities that were linked before issuers were stored to the issuer `$1`, which is the one they came from. */
export const bindIdentities = statement({
  params: [text],
  row: {},
  text: "UPDATE identity SET issuer = $1 WHERE provider = 'oidc' AND issuer IS NULL",
});

/** Removes every identity that is linked to the person `$1`. */
export const unlinkIdentities = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM identity WHERE person_id = $1",
});
