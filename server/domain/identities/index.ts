/** A person's identities at OIDC providers. */
export { findByIdentity, type IdentitiesHub, type Identity, linkIdentity, unlinkIdentities } from "./identity";
