import type { z } from "zod";
import { getAccountById } from "../domain/accounts";
import { KeyInput, KeyPatch, KeyRotation, listKeys, serializeKey } from "../domain/keys";
import { checkAllowedModels } from "../domain/models";
import {
  changeKeyByOperator,
  findKeyAccount,
  createKeyByOperator,
  revokeKeyByOperator,
  rotateKeyByOperator,
} from "../domain/operator-keys";
import { contextForOperator, defineOperatorAction } from "./operator-action";

/** API keys of any account, for operators. `id` is the account's when keys are listed or one is created, else the key's. */
export const accountKeyActions = {
  list: defineOperatorAction({
    access: "auditor",
    async run(hub, operator, id: number) {
      const keys = await listKeys(contextForOperator(hub, await getAccountById(hub, id), operator));
      return keys.map(serializeKey);
    },
  }),

  create: defineOperatorAction({
    access: "operator",
    body: KeyInput,
    async run(hub, operator, { id, ...request }: z.output<typeof KeyInput> & { id: number }) {
      const account = await getAccountById(hub, id);
      checkAllowedModels(contextForOperator(hub, account, operator), request.allowed_models);
      const { record, key } = await createKeyByOperator(hub, operator, id, request);
      return { ...serializeKey(record), key };
    },
  }),

  update: defineOperatorAction({
    access: "operator",
    body: KeyPatch,
    async run(hub, operator, { id, ...change }: z.output<typeof KeyPatch> & { id: string }) {
      const ctx = contextForOperator(hub, await findKeyAccount(hub, id), operator);
      checkAllowedModels(ctx, change.allowed_models);
      return serializeKey(await changeKeyByOperator(ctx, operator, id, change));
    },
  }),

  rotate: defineOperatorAction({
    access: "operator",
    body: KeyRotation,
    async run(hub, operator, { id, grace_hours: graceHours }: z.output<typeof KeyRotation> & { id: string }) {
      const ctx = contextForOperator(hub, await findKeyAccount(hub, id), operator);
      const { record, key } = await rotateKeyByOperator(ctx, operator, id, graceHours);
      return { ...serializeKey(record), key };
    },
  }),

  revoke: defineOperatorAction({
    access: "operator",
    run: async (hub, operator, id: string) =>
      revokeKeyByOperator(contextForOperator(hub, await findKeyAccount(hub, id), operator), operator, id),
  }),
};
