import { z } from "zod";
import { roles } from "../context";
import {
  canInvite,
  changeContact,
  changeRole,
  createInvitationLink,
  inviteMember,
  listInvitations,
  listMemberKeys,
  listMembers,
  removeMember,
  resendInvitation,
  withdrawInvitation,
} from "../domain/members";
import { getMailer } from "../lib/mail";
import { byId, procedure, router, rowNumber } from "./procedure";

const person = rowNumber;
const role = z.enum(roles);
const MAX_KEPT = 1_000;
const manage = procedure("manage");

export const members = router({
  list: manage.query(async ({ ctx }) => {
    const [members, invitations] = await Promise.all([listMembers(ctx), listInvitations(ctx)]);
    return {
      members: members.map(({ created_at, last_seen_at, ...member }) => ({
        ...member,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at?.toISOString() ?? null,
        is_you: member.id === ctx.actor.person.id,
      })),
      invitations: invitations.map(({ sent_at, expires_at, ...invitation }) => ({
        ...invitation,
        sent_at: sent_at.toISOString(),
        expires_at: expires_at.toISOString(),
        is_expired: expires_at <= ctx.hub.now(),
      })),
      sends_mail: getMailer(ctx.hub.env).send !== null,
      /** Whether the person has to verify their own address before they invite others. */
      is_unverified: !canInvite(ctx.hub, ctx.actor.person),
    };
  }),

  /** Returns the API keys and connected apps of a member, which removing them revokes. */
  keys: manage.input(z.object({ person })).query(async ({ ctx, input }) => {
    const keys = await listMemberKeys(ctx, input.person);
    return keys.map(({ last_used_at, ...key }) => ({ ...key, last_used_at: last_used_at?.toISOString() ?? null }));
  }),

  invite: manage
    .meta({ cost: "keys" })
    .input(z.object({ email: z.string().max(1_000), role }))
    .mutation(({ ctx, input }) => inviteMember(ctx, input)),

  /** Returns a link with which one person joins, which is not shown again. */
  createLink: manage
    .meta({ cost: "keys" })
    .input(z.object({ role }))
    .mutation(({ ctx, input }) => createInvitationLink(ctx, input.role)),

  resend: manage
    .meta({ cost: "keys" })
    .input(byId)
    .mutation(({ ctx, input }) => resendInvitation(ctx, input.id)),

  withdraw: manage.input(byId).mutation(({ ctx, input }) => withdrawInvitation(ctx, input.id)),

  changeRole: manage
    .input(z.object({ person, role }))
    .mutation(({ ctx, input }) => changeRole(ctx, input.person, input.role)),

  remove: manage
    .input(z.object({ person, kept_keys: z.array(byId.shape.id).max(MAX_KEPT) }))
    .mutation(({ ctx, input }) => removeMember(ctx, input.person, input.kept_keys)),

  /** Makes a member's address the contact address of the account. */
  changeContact: manage.input(z.object({ person })).mutation(({ ctx, input }) => changeContact(ctx, input.person)),

  /** Ends the caller's own membership, and revokes the keys that they made. */
  leave: procedure("self").mutation(({ ctx }) => removeMember(ctx, ctx.actor.person.id, [])),
});
