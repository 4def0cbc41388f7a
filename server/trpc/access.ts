import { z } from "zod";
import { requestReset } from "../domain/accounts/request-reset";
import { resetPassword } from "../domain/recovery/reset-password";
import { signUp } from "../domain/accounts/sign-up";
import { publicProcedure, router } from "./procedure";

const email = z.string().max(1_000);
const password = z.string().max(1_000);

/** Procedures that need no session; each is rate limited by address. */
export const access = router({
  signUp: publicProcedure
    .input(z.object({ email, password }))
    .mutation(({ ctx, input }) => signUp(ctx.hub, input, ctx.address)),

  forgotPassword: publicProcedure
    .input(z.object({ email }))
    .mutation(({ ctx, input }) => requestReset(ctx.hub, input.email, ctx.address)),

  resetPassword: publicProcedure
    .input(z.object({ token: z.string().max(100), password }))
    .mutation(({ ctx, input }) => resetPassword(ctx.hub, input, ctx.address)),
});
