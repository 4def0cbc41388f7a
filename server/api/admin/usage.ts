import { getAccountSummary } from "../../domain/operations";
import { defineOperation } from "../operation";
import { AllUsagePage, AllUsageQuery, UsagePage, UsageQuery } from "../schemas/usage";
import { respondUsage } from "../usage";
import { accountParams, readAccountId } from "./accounts";

const shared = { method: "get", tag: "Management", auth: "operator", role: "auditor", cost: "read" } as const;

export const getAccountUsage = defineOperation({
  ...shared,
  name: "getAccountUsage",
  path: "/api/v1/admin/accounts/{id}/usage",
  summary: "Retrieve the usage of an account",
  description: "Returns what `GET /api/v1/hub/usage` returns to the account, also as CSV.",
  params: accountParams,
  query: UsageQuery,
  responses: { 200: { description: "Usage by its groups", schema: UsagePage } },
  problems: ["resource_not_found"],
  async handler({ hub, params, query: { from, to, group_by: groups, ...format }, request }) {
    const { id: accountId } = await getAccountSummary(hub, readAccountId(params));
    return respondUsage(hub, request.headers, { accountId, from, to, groups }, format);
  },
});

export const getAllUsage = defineOperation({
  ...shared,
  name: "getAllUsage",
  path: "/api/v1/admin/usage",
  summary: "Retrieve the usage of all accounts",
  description:
    "Returns what was settled in a period, of all accounts together or grouped by `account`, also as CSV. Groups by `metadata.KEY` " +
    "cover at most 31 days.",
  query: AllUsageQuery,
  responses: { 200: { description: "Usage by its groups", schema: AllUsagePage } },
  problems: [],
  handler: ({ hub, query: { from, to, group_by: groups, ...format }, request }) =>
    respondUsage(hub, request.headers, { accountId: null, from, to, groups }, format),
});
