import { type Actor, type Permission, type Role, roles } from "../../context";
import { AppError } from "../../errors";

/** What each role of an account may do in its console. */
const permissions: Record<Role, readonly Permission[]> = {
  owner: ["self", "read", "develop", "billing", "manage"],
  billing: ["self", "billing"],
  developer: ["self", "read", "develop"],
  viewer: ["self", "read"],
};

/** Returns whether a role of an account allows this. */
export const allowsRole = (role: Role, permission: Permission): boolean => permissions[role].includes(permission);

/** Returns the roles, those that may do most first. */
export const listRoles = (): readonly Role[] => roles;

/** What a person may do who only views an account; every change is rejected besides. */
const viewPermissions: readonly Permission[] = ["self", "read", "billing"];

/** Returns what an actor may do. A key, and a program that acts without a browser, may do everything. */
export function permissionsOf(actor: Actor): readonly Permission[] {
  if (actor.kind === "key" || !actor.person) return permissions.owner;
  return actor.view ? viewPermissions : permissions[actor.person.role];
}

/** Returns whether an actor may do this. */
export const isPermitted = (actor: Actor, permission: Permission): boolean => permissionsOf(actor).includes(permission);

/** Throws a 403 unless the actor may do this. */
export function checkPermission(actor: Actor, permission: Permission): void {
  if (isPermitted(actor, permission)) return;
  throw new AppError(
    "unauthorized",
    "Your role in this account doesn’t allow this. Ask one of its owners.",
    {},
    {},
    403,
  );
}
