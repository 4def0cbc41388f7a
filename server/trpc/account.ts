import { z } from "zod";
import { changePassword } from "../domain/accounts/change-password";
import { toEuros } from "../lib/money";
import { procedure, router } from "./procedure";

export const account = router({
  get: procedure.query(({ ctx: { account } }) => ({
    email: account.email,
    member: account.member,
    balance: toEuros(account.balance),
    held: toEuros(account.reserved),
    available: toEuros(account.balance - account.reserved),
  })),

  changePassword: procedure
    .input(z.object({ current: z.string(), password: z.string() }))
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
});
