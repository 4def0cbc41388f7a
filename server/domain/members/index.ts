/** Members of an account: inviting them, their roles, and removing them with what they created. */
export { acceptInvitation, findInvitation } from "./accept-invitation";
export type { MembersHub } from "./hub";
export {
  canInvite,
  createInvitationLink,
  inviteMember,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from "./invitation";
export { changeContact, changeRole, listMemberKeys, listMembers, removeMember } from "./member";
