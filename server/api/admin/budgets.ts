import { z } from "@hono/zod-openapi";
import { accountBudgetActions } from "../../actions/account-budgets";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/budget";
import { accountParams, readAccountId } from "./accounts";

const OF_ACCOUNT = "/api/v1/admin/accounts/{id}/budgets";
const PATH = "/api/v1/admin/budgets/{id}";
const params = z.object({ id: schemas.budgetId });
const links = { updateAdminBudget: "/id", removeAdminBudget: "/id" } as const;

export const createAdminBudget = serveOperatorAction(accountBudgetActions.create, {
  name: "createAdminBudget",
  method: "post",
  path: OF_ACCOUNT,
  summary: "Create a budget of an account",
  description:
    "Limits what some of an account's generations may spend in each window, from the next request on. It begins with what " +
    "its current window has already spent and holds. An account can have 20 budgets.",
  params: accountParams,
  responses: { 201: { description: "The created budget", schema: schemas.Budget, links } },
  problems: ["resource_not_found"],
  readInput: ({ params, body }) => ({ ...body, id: readAccountId(params) }),
});

export const listAdminBudgets = serveOperatorAction(accountBudgetActions.list, {
  name: "listAdminBudgets",
  method: "get",
  path: OF_ACCOUNT,
  summary: "List an account's budgets",
  description: "Returns all budgets of an account, oldest first, with what their current windows have spent.",
  params: accountParams,
  responses: { 200: { description: "The budgets", schema: schemas.BudgetList } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => readAccountId(params),
  respond: (data) => ({ json: { data } }),
});

export const updateAdminBudget = serveOperatorAction(accountBudgetActions.update, {
  name: "updateAdminBudget",
  method: "patch",
  path: PATH,
  summary: "Update a budget",
  description:
    "Changes the fields that you send, from the next request on. An amount below what is spent only rejects new work. " +
    "Another window or scope begins with what it has already spent and holds.",
  params,
  responses: { 200: { description: "The changed budget", schema: schemas.Budget } },
  problems: ["resource_not_found"],
  readInput: ({ params, body }) => ({ ...body, id: params.id! }),
});

export const removeAdminBudget = serveOperatorAction(accountBudgetActions.remove, {
  name: "removeAdminBudget",
  method: "delete",
  path: PATH,
  summary: "Remove a budget",
  description: "Removes the budget, which limits nothing from the next request on.",
  params,
  responses: { 204: { description: "Removed" } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => params.id!,
});
