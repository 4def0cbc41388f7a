import { accountClosingActions } from "../../actions/account-closing";
import { serveOperatorAction } from "../operation";
import { AdminClosing } from "../schemas/closing";
import { accountParams, readAccountId } from "./accounts";

const PATH = "/api/v1/admin/accounts/{id}/closing";

export const getAdminClosing = serveOperatorAction(accountClosingActions.get, {
  name: "getAdminClosing",
  method: "get",
  path: PATH,
  summary: "Retrieve the closing of an account",
  description: "Returns when an account closes or has closed, and what it waits for. 404 if it is not closing.",
  params: accountParams,
  responses: { 200: { description: "The closing", schema: AdminClosing } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => readAccountId(params),
});

export const closeAdminAccount = serveOperatorAction(accountClosingActions.start, {
  name: "closeAdminAccount",
  method: "put",
  path: PATH,
  summary: "Close an account",
  description:
    "Closes an account in 14 days. Its keys are rejected from their next request on, and its people can only read. Then the " +
    "balance is refunded or given up, and everything but tax records is erased. An account that is closing already stays as " +
    "it is.",
  params: accountParams,
  responses: { 200: { description: "The closing", schema: AdminClosing } },
  problems: ["resource_not_found"],
  readInput: ({ params, body }) => ({ ...body, id: readAccountId(params) }),
});

export const keepAdminAccount = serveOperatorAction(accountClosingActions.keep, {
  name: "keepAdminAccount",
  method: "delete",
  path: PATH,
  summary: "Keep an account that is closing",
  description:
    "Keeps the account, whose keys work again at once; does nothing if it is not closing. 409 once it is closed and its " +
    "content is erased.",
  params: accountParams,
  responses: { 204: { description: "Kept" } },
  problems: ["resource_not_found", "invalid_state"],
  readInput: ({ params }) => ({ id: readAccountId(params) }),
});
