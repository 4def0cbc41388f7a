import { HUB_NAME } from "../../lib/hub-name";
import { buildDocument, defineDocument, toRouteConfig } from "../openapi";
import type { Operation } from "../operation";
import * as accounts from "./accounts";
import * as books from "./books";
import * as budgets from "./budgets";
import * as catalogue from "./catalogue";
import * as closing from "./closing";
import * as keys from "./keys";
import * as operations from "./operations";
import * as usage from "./usage";
import * as vouchers from "./vouchers";

export const describeAdminApi = defineDocument(
  {
    name: "describeAdminApi",
    path: "/api/v1/admin/openapi.json",
    description: "Returns the OpenAPI 3.1 description of the management API.",
  },
  (baseUrl) => adminDocument(baseUrl),
);

/** The operations of the management API, for operators' programs. */
export const adminOperations: Operation[] = [
  accounts.createAdminAccount,
  accounts.listAdminAccounts,
  accounts.getAdminAccount,
  accounts.updateAdminAccount,
  accounts.creditAdminAccount,
  closing.getAdminClosing,
  closing.closeAdminAccount,
  closing.keepAdminAccount,
  keys.createAdminKey,
  keys.listAdminKeys,
  keys.updateAdminKey,
  keys.rotateAdminKey,
  keys.revokeAdminKey,
  usage.getAccountUsage,
  usage.getAllUsage,
  budgets.createAdminBudget,
  budgets.listAdminBudgets,
  budgets.updateAdminBudget,
  budgets.removeAdminBudget,
  vouchers.createAdminVoucher,
  vouchers.listAdminVouchers,
  vouchers.revokeAdminVoucher,
  catalogue.getAdminCatalogue,
  catalogue.replaceAdminCatalogue,
  catalogue.checkAdminCatalogue,
  catalogue.listAdminRevisions,
  books.getAdminBooks,
  books.replaceAdminBooks,
  books.checkAdminBooks,
  operations.getStatus,
  operations.listProviders,
  operations.listPayments,
  operations.listAuditLog,
  describeAdminApi,
];

/** Returns the OpenAPI 3.1 document of the management API at this address, which the clients do not include. */
export const adminDocument = (baseUrl: string) =>
  buildDocument(baseUrl, { title: `${HUB_NAME}: management`, description, tags }, (registry) => {
    registry.registerComponent("securitySchemes", "operatorToken", {
      type: "http",
      scheme: "bearer",
      description: "The token of an operator's program, `service_ok_…`",
    });
    for (const operation of adminOperations) registry.registerPath(toRouteConfig(operation));
  });

const tags = [
  {
    name: "Management",
    description:
      "For the programs of the hub's operators: accounts, credit, keys, budgets, the catalogue and reports, by a token that only this " +
      "API accepts",
  },
  { name: "Service", description: "Description of these paths" },
];

const description =
  "For the programs of the hub's operators, by a token `service_ok_…`. Amounts are in EUR, times in UTC. Errors are " +
  "`application/problem+json`. Every change adds one row to the audit log under the token's name.";
