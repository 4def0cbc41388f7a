import { budgetActions } from "../actions/budgets";
import { listAllKeys } from "../domain/keys";
import { listMembers } from "../domain/members";
import { mutationOf, procedure, queryOf, router } from "./procedure";

export const budgets = router({
  list: queryOf(budgetActions.list),

  /** Returns the keys and members that a scope can name. */
  subjects: procedure("billing").query(async ({ ctx }) => {
    const [keys, members] = await Promise.all([listAllKeys(ctx), listMembers(ctx)]);
    return {
      keys: keys.map(({ id, name, prefix, revoked_at }) => ({ id, name, prefix, is_revoked: revoked_at !== null })),
      members: members.map(({ id, email }) => ({ id, email })),
    };
  }),

  create: mutationOf(budgetActions.create),
  update: mutationOf(budgetActions.update),
  remove: mutationOf(budgetActions.remove),
});
