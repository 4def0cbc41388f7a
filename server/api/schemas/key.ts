import { z } from "@hono/zod-openapi";
import { euros, metadata, orNull, time, uuid } from "./values";

const Reset = z.enum(["day", "month"]).openapi("SpendLimitReset");

/** Specification, section 2.9, with the fields of the contract. */
const key = {
  id: uuid,
  name: z.string().openapi({ example: "server" }),
  prefix: z.string().openapi({ description: "First characters of the key", example: "service_sk_4fQ7Xa" }),
  created_at: time,
  last_used_at: time.nullable().openapi({ description: "Accurate to the minute; null if never used" }),
  expires_at: time.nullable().openapi({ example: "2027-01-31T00:00:00.000Z" }),
  revoked_at: time.nullable().openapi({ example: null }),
  require_idempotency: z.boolean(),
  spend_limit: euros
    .nullable()
    .openapi({ description: "Maximum spend in EUR per period; null for no limit", example: 5 }),
  spend_limit_reset: orNull(Reset).openapi({
    description: "Length of the period, in UTC; null for all time",
    example: "day",
  }),
  spent: euros.openapi({ description: "Charges and holds of the current period, in EUR" }),
  paused_at: time
    .nullable()
    .openapi({ description: "Since when the key is rejected until it is resumed; null if it is not" }),
  allowed_models: z
    .array(z.string())
    .nullable()
    .openapi({ description: "Ids of the models that the key may use; null for all" }),
  metadata: orNull(metadata).openapi({ description: "Pairs that each generation of the key gets; null for none" }),
  require_end_user: z.boolean(),
  allow_high_priority: z.boolean().openapi({ description: "Whether its generations may have the priority `high`" }),
  keeps_nothing: z
    .boolean()
    .openapi({ description: "Whether the content of its generations is erased like that of `retention: none`" }),
  requests_per_minute: z.int().nullable().openapi({
    description: "Maximum requests in any 60 seconds; null for no limit beside the account's",
    example: 60,
  }),
  tokens_per_minute: z
    .int()
    .nullable()
    .openapi({ description: "Maximum tokens of chats and embeddings in any 60 seconds; null for no limit" }),
  allowed_ips: z
    .array(z.string())
    .nullable()
    .openapi({ description: "Addresses and CIDR ranges from which the key may be used; null for all" }),
  previous_prefix: z
    .string()
    .nullable()
    .openapi({ description: "First characters of the secret before the last rotation" }),
  previous_expires_at: time
    .nullable()
    .openapi({ description: "Until when that secret is valid; null before any rotation" }),
};

export const Key = z.object(key).openapi("Key");

export const KeyWithSecret = z
  .object({
    ...key,
    key: z.string().openapi({ description: "The key itself; shown only once", example: "service_sk_…" }),
  })
  .openapi("KeyWithSecret");

export const KeyList = z
  .object({ data: z.array(Key).openapi({ description: "Active keys first, then newest first" }) })
  .openapi("KeyList");
