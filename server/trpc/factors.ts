import { z } from "zod";
import {
  addPasskey,
  confirmPassword,
  confirmTotp,
  demandFactor,
  listFactors,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewCodes,
  startPasskey,
  startTotp,
  startVerification,
  usePasskey,
  useRecoveryCode,
  useTotp,
} from "../domain/factors";
import { byId, factorProcedure, procedure, router } from "./procedure";

const base64 = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/, "must be base64url");
const credentialId = base64(1_400);
const clientData = base64(8_000);
const shared = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional().catch(undefined),
};

// Extensions are dropped: none is used.
const registration = z
  .object({
    ...shared,
    response: z.object({
      clientDataJSON: clientData,
      attestationObject: base64(32_000),
      transports: z.array(z.string().max(40)).max(20).optional(),
    }),
  })
  .transform((value) => ({ ...value, clientExtensionResults: {} }));

const assertion = z
  .object({
    ...shared,
    response: z.object({
      clientDataJSON: clientData,
      authenticatorData: base64(8_000),
      signature: base64(8_000),
      userHandle: base64(200).optional(),
    }),
  })
  .transform((value) => ({ ...value, clientExtensionResults: {} }));

const name = z.string().trim().min(1, "is required").max(60, "may have at most 60 characters");
const code = z.object({ code: z.string().max(100) });
const sensitive = factorProcedure.meta({ needsProof: true });

export const factors = router({
  list: factorProcedure.query(({ ctx }) => listFactors(ctx)),

  startVerification: factorProcedure.mutation(({ ctx }) => startVerification(ctx)),

  usePasskey: factorProcedure
    .input(z.object({ response: assertion }))
    .mutation(({ ctx, input }) => usePasskey(ctx, input.response)),

  useTotp: factorProcedure.input(code).mutation(({ ctx, input }) => useTotp(ctx, input.code)),

  useRecoveryCode: factorProcedure.input(code).mutation(({ ctx, input }) => useRecoveryCode(ctx, input.code)),

  confirmPassword: factorProcedure
    .input(z.object({ password: z.string().max(1_000) }))
    .mutation(({ ctx, input }) => confirmPassword(ctx, input.password)),

  startPasskey: sensitive.mutation(({ ctx }) => startPasskey(ctx)),

  addPasskey: sensitive
    .input(z.object({ response: registration, name }))
    .mutation(({ ctx, input }) => addPasskey(ctx, input)),

  renamePasskey: sensitive
    .input(byId.extend({ name }))
    .mutation(({ ctx, input }) => renamePasskey(ctx, input.id, input.name)),

  removePasskey: sensitive.input(byId).mutation(({ ctx, input }) => removePasskey(ctx, input.id)),

  startTotp: sensitive.mutation(({ ctx }) => startTotp(ctx)),

  confirmTotp: sensitive.input(code).mutation(({ ctx, input }) => confirmTotp(ctx, input.code)),

  removeTotp: sensitive.mutation(({ ctx }) => removeTotp(ctx)),

  renewRecoveryCodes: sensitive.mutation(async ({ ctx }) => ({ recovery_codes: await renewCodes(ctx) })),

  /** Sets whether people need a second factor to act for the account. */
  demand: procedure("manage")
    .meta({ needsProof: true })
    .input(z.object({ is_demanded: z.boolean() }))
    .mutation(({ ctx: { hub, account, actor }, input }) => {
      const { sessionId, person } = actor;
      return demandFactor({ hub, sessionId, accountId: account.id, person }, input.is_demanded);
    }),
});
