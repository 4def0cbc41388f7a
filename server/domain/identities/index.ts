/** A person's identities at OIDC providers. */
export {
  bindIdentities,
  findByIdentity,
  type IdentitiesHub,
  type Identity,
  linkIdentity,
  unlinkIdentities,
} from "./identity";
