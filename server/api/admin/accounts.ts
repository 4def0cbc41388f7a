import { z } from "@hono/zod-openapi";
import { accountActions } from "../../actions/accounts";
import { parseAccountId } from "../../domain/accounts";
import { AppError } from "../../errors";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/admin";
import { readPosition, respondPage } from "./paging";

const PATH = "/api/v1/admin/accounts";
export const accountParams = z.object({ id: schemas.accountId });
const links = { getAdminAccount: "/id", updateAdminAccount: "/id", creditAdminAccount: "/id" } as const;

/** Returns the id of an account in a path. Throws a 404 for a text that is not an id. */
export function readAccountId({ id }: Record<string, string>): number {
  const account = parseAccountId(id!);
  if (account === null) throw new AppError("resource_not_found", "There is no such account.");
  return account;
}

export const createAdminAccount = serveOperatorAction(accountActions.create, {
  name: "createAdminAccount",
  method: "post",
  path: PATH,
  summary: "Create an account",
  description:
    "Creates an account with a balance of zero, and the person who owns it. You vouch for the e-mail address. An address " +
    "that has an account is rejected with 400, so a repeated request creates no second one: find the first by `q`.",
  responses: { 201: { description: "The created account", schema: schemas.AdminAccount, links } },
  problems: [],
  readInput: ({ body }) => body,
});

export const listAdminAccounts = serveOperatorAction(accountActions.list, {
  name: "listAdminAccounts",
  method: "get",
  path: PATH,
  summary: "List accounts",
  description: "Returns all accounts, newest first, or those that `q` finds.",
  query: schemas.AccountQuery,
  responses: { 200: { description: "One page of accounts", schema: schemas.AdminAccountPage } },
  problems: [],
  readInput: ({ hub, query: { q, limit, cursor } }) => {
    const position = readPosition(hub, ["accounts", q], cursor);
    return { q, limit, before: position === undefined ? null : Number(position) };
  },
  respond: (page, { hub, query }) => respondPage(hub, ["accounts", query.q], page),
});

export const getAdminAccount = serveOperatorAction(accountActions.get, {
  name: "getAdminAccount",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "Retrieve an account",
  description: "Returns an account with its money and its limits.",
  params: accountParams,
  responses: { 200: { description: "The account", schema: schemas.AdminAccount } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => readAccountId(params),
});

export const updateAdminAccount = serveOperatorAction(accountActions.update, {
  name: "updateAdminAccount",
  method: "patch",
  path: `${PATH}/{id}`,
  summary: "Suspend, resume or change an account",
  description:
    "Changes the fields that you send; those that have the value already are not recorded. A suspended account's keys are " +
    "rejected from their next request on and its sessions end; accepted generations still run. 402 if the token's daily " +
    "credit limit does not cover the trial credit of a price book.",
  params: accountParams,
  responses: { 200: { description: "The account", schema: schemas.AdminAccount } },
  problems: ["resource_not_found", "insufficient_credits", "invalid_state"],
  readInput: ({ params, body }) => ({ ...body, id: readAccountId(params) }),
});

export const creditAdminAccount = serveOperatorAction(accountActions.credit, {
  name: "creditAdminAccount",
  method: "post",
  path: `${PATH}/{id}/credits`,
  summary: "Credit or correct an account",
  description:
    "Books one ledger entry. A repeated `reference` books nothing and returns the first credit, whatever else the request " +
    "has, so you can safely retry. A correction is at most the available balance. 402 also if the token's daily credit " +
    "limit does not cover the amount.",
  params: accountParams,
  responses: {
    201: {
      description: "The credit",
      schema: schemas.AdminCredit,
      headers: { "Idempotent-Replayed": "`true` for a repeated reference" },
    },
  },
  problems: ["resource_not_found", "insufficient_credits"],
  readInput: ({ params, body }) => ({ ...body, id: readAccountId(params) }),
  respond: ({ entry, credited }) => ({
    json: entry,
    ...(!credited && { headers: { "Idempotent-Replayed": "true" } }),
  }),
});
