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

/** The closing of an account, for operators' programs. */
export const accountClosingActions = {
  get: defineOperatorAction({ access: "auditor", run: (hub, _operator, id: number) => getClosing(hub, id) }),

  /** Closes it after the time that owners have too: nobody can erase accounts at once with a token that leaked. */
  start: defineOperatorAction({
    access: "operator",
    body: ClosingRequest,
    async run(hub, operator, order: z.output<typeof ClosingRequest> & { id: number }) {
      await closeAccountByOperator(hub, operator, { ...order, days: REFLECTION_DAYS });
      return getClosing(hub, order.id);
    },
  }),

  keep: defineOperatorAction({
    access: "operator",
    run: (hub, operator, id: number) => keepAccountByOperator(hub, operator, { id }),
  }),
};
