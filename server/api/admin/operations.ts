import { operationActions } from "../../actions/operations";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/admin";
import { readPosition, respondPage } from "./paging";

export const getStatus = serveOperatorAction(operationActions.status, {
  name: "getStatus",
  method: "get",
  path: "/api/v1/admin/status",
  summary: "Retrieve the hub's status",
  description:
    "Returns queued and running generations by model, workers, webhook deliveries, failures of the last hour, revenue and costs " +
    "of the last 14 days, the last audit, and raised alerts.",
  responses: { 200: { description: "The status", schema: schemas.HubStatus } },
  problems: [],
  readInput: () => undefined,
});

export const listProviders = serveOperatorAction(operationActions.providers, {
  name: "listProviders",
  method: "get",
  path: "/api/v1/admin/providers",
  summary: "List providers",
  description: "Returns the catalogue's providers with their limits, spend and routes, but no keys.",
  responses: { 200: { description: "The providers", schema: schemas.ProviderReports } },
  problems: [],
  readInput: () => undefined,
  respond: (data) => ({ json: { data } }),
});

export const listPayments = serveOperatorAction(operationActions.payments, {
  name: "listPayments",
  method: "get",
  path: "/api/v1/admin/payments",
  summary: "List payments",
  description: "Returns the payments of all accounts, newest first.",
  query: schemas.PaymentQuery,
  responses: { 200: { description: "One page of payments", schema: schemas.AdminPaymentPage } },
  problems: [],
  readInput: ({ hub, query: { cursor, ...query } }) => ({
    ...query,
    before: readPosition(hub, ["payments", query.q, query.filter], cursor),
  }),
  respond: (page, { hub, query }) => respondPage(hub, ["payments", query.q, query.filter], page),
});

export const listAuditLog = serveOperatorAction(operationActions.auditLog, {
  name: "listAuditLog",
  method: "get",
  path: "/api/v1/admin/audit-log",
  summary: "List the audit log",
  description: "Returns the changes by operators, in the console, by commands and by tokens, newest first.",
  query: schemas.AuditLogQuery,
  responses: { 200: { description: "One page of changes", schema: schemas.AuditLogPage } },
  problems: [],
  readInput: ({ hub, query: { cursor, ...query } }) => ({
    ...query,
    before: readPosition(hub, ["audit-log", query.action, query.operator, query.target], cursor),
  }),
  respond: (page, { hub, query }) => respondPage(hub, ["audit-log", query.action, query.operator, query.target], page),
});
