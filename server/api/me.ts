import { toEuros } from "../lib/money";
import { defineOperation } from "./operation";
import { Account } from "./schemas/account";

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
