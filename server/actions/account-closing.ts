import { z } from "zod";
import {
  BalanceChoice,
  closeAccountByOperator,
  getClosing,
  keepAccountByOperator,
  REFLECTION_DAYS,
} from "../domain/closures";
import { Reason } from "./accounts";
import { defineOperatorAction } from "./operator-action";

/** The request body that closes an account. */
const ClosingRequest = z
  .strictObject({
    balance: BalanceChoice.meta({
      description: "`refund`: payments are refunded and the rest is given up; `give_up`: all of it is given up",
      example: "refund",
    }),
    reason: Reason.optional(),
  })
  .meta({ id: "ClosingRequest" });

interface ClosingOrder extends z.output<typeof ClosingRequest> {
  id: number;
  /** After how many days; only people may choose, so that nobody can erase accounts at once with a token that leaked. */
  days?: number;
}

interface KeepingOrder {
  id: number;
  reason?: string;
}

/** The closing of an account, for operators and their programs. */
export const accountClosingActions = {
  get: defineOperatorAction({ access: "auditor", run: (hub, _operator, id: number) => getClosing(hub, id) }),

  start: defineOperatorAction({
    access: "operator",
    body: ClosingRequest,
    async run(hub, operator, { days = REFLECTION_DAYS, ...order }: ClosingOrder) {
      await closeAccountByOperator(hub, operator, { ...order, days });
      return getClosing(hub, order.id);
    },
  }),

  keep: defineOperatorAction({
    access: "operator",
    run: (hub, operator, order: KeepingOrder) => keepAccountByOperator(hub, operator, order),
  }),
};
