import { z } from "@hono/zod-openapi";
import { voucherActions } from "../../actions/vouchers";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/admin-vouchers";
import { readPosition, respondPage } from "./paging";

const PATH = "/api/v1/admin/vouchers";
const scope = ["vouchers"];

export const createAdminVoucher = serveOperatorAction(voucherActions.create, {
  name: "createAdminVoucher",
  method: "post",
  path: PATH,
  summary: "Create a voucher",
  description:
    "Creates a code that owners and people with the billing role redeem in the console, once for each account. Its response " +
    "alone has the code. 402 if the token's daily credit limit does not cover all of its redemptions.",
  responses: {
    201: {
      description: "The voucher with its code",
      schema: schemas.CreatedVoucher,
      links: { revokeAdminVoucher: "/id" },
    },
  },
  problems: ["insufficient_credits"],
  readInput: ({ body }) => body,
});

export const listAdminVouchers = serveOperatorAction(voucherActions.list, {
  name: "listAdminVouchers",
  method: "get",
  path: PATH,
  summary: "List vouchers",
  description: "Returns the vouchers without their codes, newest first.",
  query: schemas.VoucherQuery,
  responses: { 200: { description: "One page of vouchers", schema: schemas.VoucherPage } },
  problems: [],
  readInput: ({ hub, query: { cursor, limit } }) => ({ limit, before: readPosition(hub, scope, cursor) }),
  respond: (page, { hub }) => respondPage(hub, scope, page),
});

export const revokeAdminVoucher = serveOperatorAction(voucherActions.revoke, {
  name: "revokeAdminVoucher",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Revoke a voucher",
  description: "Nobody can redeem it from now on. Accounts keep the credit that they have redeemed.",
  params: z.object({ id: schemas.voucherId }),
  responses: { 204: { description: "Revoked" } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => params.id!,
});
