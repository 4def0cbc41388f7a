import { z } from "@hono/zod-openapi";
import { toEuros } from "../lib/money";
import { defineOperation } from "./operation";
import { currency, euros } from "./schemas/values";

/** Specification, section 2.5. */
const Account = z
  .object({
    client_id: z.int().openapi({ example: 1 }),
    email: z.email().openapi({ example: "you@example.org" }),
    membership: z.boolean(),
    balance: euros.openapi({ description: "Credit in EUR", example: 25 }),
    available: euros.openapi({
      description: "The balance less the estimates of all unsettled generations",
      example: 24.9908,
    }),
    currency,
    key: z
      .object({
        name: z.string().openapi({ example: "server" }),
        prefix: z.string().openapi({ example: "service_sk_4fQ7Xa" }),
      })
      .openapi("AccountKey", { description: "The key that authenticated this request" }),
  })
  .openapi("Account");

export const getAccount = defineOperation({
  name: "getAccount",
  method: "get",
  path: "/api/v1/me",
  tag: "Account",
  summary: "Retrieve your account",
  description:
    "Returns the account, its balance and the API key in use. `available` is the balance less the estimates of all unsettled generations: the most that a new one may cost.",
  auth: "key",
  cost: "read",
  responses: { 200: { description: "The account", schema: Account } },
  problems: [],
  // The account is fresh: authentication reads it in the same statement as the key.
  handler: ({ ctx: { account, actor } }) => ({
    json: {
      client_id: account.id,
      email: account.email,
      membership: account.member,
      balance: toEuros(account.balance),
      available: toEuros(account.balance - account.reserved),
      currency: "EUR",
      key: { name: actor.name, prefix: actor.prefix },
    },
  }),
});
