import { findVerdict } from "../domain/audit";
import { describeProviders } from "../domain/generations/read";
import { listOperatorAlerts } from "../domain/operator-alerts";
import { getHubState, listActions, sumMoney } from "../domain/operations";
import { listAllPayments, type PaymentFilter } from "../domain/payment-records";
import { defineOperatorAction } from "./operator-action";

const DAYS = 14;

interface PaymentPage {
  q?: string;
  filter?: PaymentFilter;
  before?: string;
  limit: number;
}

interface ActionPage {
  action?: string;
  operator?: string;
  target?: string;
  before?: string;
  limit: number;
}

/** What operators and auditors read of the whole hub. */
export const operationActions = {
  status: defineOperatorAction({
    access: "auditor",
    async run(hub) {
      const [state, money, verdict, alerts] = await Promise.all([
        getHubState(hub),
        sumMoney(hub, DAYS),
        findVerdict(hub),
        listOperatorAlerts(hub),
      ]);
      return { ...state, money, verdict, alerts };
    },
  }),

  providers: defineOperatorAction({ access: "auditor", run: (hub) => describeProviders(hub) }),

  payments: defineOperatorAction({
    access: "auditor",
    run: (hub, _operator, { limit, ...filters }: PaymentPage) => listAllPayments(hub, filters, limit),
  }),

  auditLog: defineOperatorAction({
    access: "auditor",
    run: (hub, _operator, { before, limit, ...filters }: ActionPage) => listActions(hub, filters, { before, limit }),
  }),
};
