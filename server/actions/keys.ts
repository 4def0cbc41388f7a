import {
  createKey,
  KeyInput,
  KeyPatch,
  KeyRotation,
  listKeys,
  revokeKey,
  rotateKey,
  serializeKey,
} from "../domain/keys";
import { changeKey } from "../domain/ledger";
import { checkAllowedModels } from "../domain/models";
import { defineAction, defineItemAction } from "./action";

const change = { access: "develop", cost: "keys" } as const;

export const keyActions = {
  list: defineAction({
    access: "read",
    cost: "read",
    run: async (ctx) => (await listKeys(ctx)).map(serializeKey),
  }),

  create: defineAction({
    ...change,
    body: KeyInput,
    async run(ctx, body) {
      checkAllowedModels(ctx, body.allowed_models);
      const { record, key } = await createKey(ctx.hub, ctx.account.id, body, ctx.actor);
      return { ...serializeKey(record), key };
    },
  }),

  update: defineItemAction({
    ...change,
    body: KeyPatch,
    async run(ctx, { id, ...change }) {
      checkAllowedModels(ctx, change.allowed_models);
      return serializeKey(await changeKey(ctx, id, change));
    },
  }),

  rotate: defineItemAction({
    ...change,
    body: KeyRotation,
    async run(ctx, { id, grace_hours: graceHours }) {
      const { record, key } = await rotateKey(ctx, id, graceHours);
      return { ...serializeKey(record), key };
    },
  }),

  revoke: defineItemAction({ ...change, run: (ctx, { id }) => revokeKey(ctx, id) }),
};
