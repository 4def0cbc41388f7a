import { toEuros } from "../lib/money";
import { defineOperation } from "./operation";
import { Account } from "./schemas/account";

export const getAccount = defineOperation({
  name: "getAccount",
  method: "get",
  path: "/api/v1/me",
  tag: "Account",
  summary: "The account, its balance, and the key in use",
  description: "`available` is what a new generation may cost: the balance less the estimates of all unsettled ones.",
  auth: "key",
  cost: "read",
  responses: { 200: { description: "The account", schema: Account } },
  problems: [],
  // Authentication has just read the account in the same statement as the key.
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
