/** People, their memberships, and which role has which permission. */
export { type AccountRequest, checkEmail, createAccount } from "./create-account";
export type { PeopleHub } from "./hub";
export { hubRoles, listHubRoles, setHubRole } from "./hub-role";
export { addMember, deleteMember, updateRole } from "./membership";
export {
  createPerson,
  endPersonSessions,
  getPerson,
  selectOwnedAccounts,
  signOutEverywhere,
  verifyPerson,
} from "./person";
export { allowsRole, checkPermission, isPermitted, permissionsOf } from "./role";
