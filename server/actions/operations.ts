import { findVerdict } from "../domain/audit";
import { countDueContent } from "../domain/erasure";
import { describeProviders } from "../domain/generations/read";
import { type HistoryPeriod, listBreakers, readLoad, readWork } from "../domain/history";
import { listOperatorAlerts } from "../domain/operator-alerts";
import { getHubState, listActions, sumMoney } from "../domain/operations";
import { listAllPayments, type PaymentFilter } from "../domain/payment-records";
import { defineOperatorAction } from "./operator-action";

const DAYS = 14;
/** Up to how many generations with due content are counted for each account, because the console reads the state often. */
const MAX_COUNTED = 1_000;

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
      const [state, money, verdict, alerts, erasures] = await Promise.all([
        getHubState(hub),
        sumMoney(hub, DAYS),
        findVerdict(hub),
        listOperatorAlerts(hub),
        countDueContent(hub, MAX_COUNTED),
      ]);
      return { ...state, money, verdict, alerts, erasures };
    },
  }),

  history: defineOperatorAction({
    access: "auditor",
    async run(hub, _operator, { period, by }: { period: HistoryPeriod; by: "model" | "provider" }) {
      const [work, load, breakers] = await Promise.all([
        readWork(hub, period, by),
        readLoad(hub, period),
        listBreakers(hub, period),
      ]);
      return { work, load, breakers };
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
