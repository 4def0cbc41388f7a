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

const TEMPORARY_MS = 10 * 60_000;
const TEMPORARY_LIMIT_EUR = 0.5;

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

  /** Makes a key for trying the API in its reference: it expires soon, spends little, and is not listed. */
  createTemporary: defineAction({
    ...change,
    async run({ hub, account, actor }) {
      const expiresAt = new Date(hub.now().getTime() + TEMPORARY_MS);
      const request = {
        name: "API reference",
        expires_at: expiresAt,
        spend_limit: TEMPORARY_LIMIT_EUR,
        is_temporary: true,
      };
      const { record, key } = await createKey(hub, account.id, request, actor);
      return { id: record.id, key };
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
