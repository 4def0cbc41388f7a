import { z } from "zod";
import { requestReset } from "../domain/accounts/request-reset";
import { resetPassword } from "../domain/accounts/reset-password";
import { signUp } from "../domain/accounts/sign-up";
import { open, router } from "./procedure";

const email = z.string().max(1_000);
const password = z.string().max(1_000);

/** What is open to whoever has no session: each is limited by address. */
export const access = router({
  signUp: open.input(z.object({ email, password })).mutation(({ ctx, input }) => signUp(ctx.hub, input, ctx.address)),

  forgotPassword: open
    .input(z.object({ email }))
    .mutation(({ ctx, input }) => requestReset(ctx.hub, input.email, ctx.address)),

  resetPassword: open
    .input(z.object({ token: z.string().max(100), password }))
    .mutation(({ ctx, input }) => resetPassword(ctx.hub, input, ctx.address)),
});
