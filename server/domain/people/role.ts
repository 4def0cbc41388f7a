import type { Actor, Permission, Role } from "../../context";
import { AppError } from "../../errors";

/** What each role of an account permits in its console. */
const permissions: Record<Role, readonly Permission[]> = {
  owner: ["self", "read", "develop", "billing", "manage"],
  billing: ["self", "billing"],
  developer: ["self", "read", "develop"],
  viewer: ["self", "read"],
};

/** Returns whether a role of an account has a permission. */
export const allowsRole = (role: Role, permission: Permission): boolean => permissions[role].includes(permission);

/** What a person may do who only views an account. Every change is also rejected. */
const viewPermissions: readonly Permission[] = ["self", "read", "billing"];

/** Returns what an actor may do. Keys, and programs that act without a session, may do everything. */
export function permissionsOf(actor: Actor): readonly Permission[] {
  if (actor.kind === "key" || !actor.person) return permissions.owner;
  return actor.view ? viewPermissions : permissions[actor.person.role];
}

/** Returns whether an actor has a permission. */
export const isPermitted = (actor: Actor, permission: Permission): boolean => permissionsOf(actor).includes(permission);

/** Throws a 403 unless the actor has a permission. */
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
