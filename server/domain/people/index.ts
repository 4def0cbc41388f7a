/** People and the accounts that they own or are members of, their roles, and what each role permits. */
export { type AccountRequest, checkEmail, createAccount } from "./create-account";
export type { PeopleHub } from "./hub";
export { hubRoles, listHubRoles, setHubRole } from "./hub-role";
export {
  addMember,
  createPerson,
  deleteMember,
  deleteMemberships,
  deleteOtherMembers,
  endPersonSessions,
  forgetPerson,
  getPerson,
  insertPersonWithPassword,
  leaveAccounts,
  selectMemberships,
  signOutEverywhere,
  updateRole,
  verifyPerson,
} from "./person";
export { allowsRole, checkPermission, isPermitted, permissionsOf } from "./role";
