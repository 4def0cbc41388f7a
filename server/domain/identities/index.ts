/** A person's identities at OIDC providers. */
export { findByIdentity, type Identity, linkIdentity, unlinkIdentities } from "./identity";
