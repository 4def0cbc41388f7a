import { z } from "@hono/zod-openapi";
import { budgetWindows } from "../../domain/budgets";
import { euros, metadata, time, uuid } from "./values";

const resetsAt = time.nullable().openapi({ description: "End of the current window; null if it never ends" });

/** The budget that does not cover a request. */
export const ExhaustedBudget = z
  .object({ id: uuid, name: z.string().openapi({ example: "Team blue" }), resets_at: resetsAt })
  .openapi("ExhaustedBudget", { description: "The budget that does not cover the request" });

const scope = z
  .union([
    z.object({ keys: z.array(uuid) }),
    z.object({ member: z.int() }),
    z.object({ metadata }),
    z.object({ each_end_user: z.literal(true) }),
  ])
  .openapi("BudgetScope", { description: "What counts against it", example: { metadata: { team: "blue" } } });

export const Budget = z
  .object({
    id: uuid,
    name: z.string().openapi({ example: "Team blue" }),
    amount: euros.openapi({ description: "Maximum spend in each window, in EUR", example: 50 }),
    window: z.enum(budgetWindows).openapi({ description: "In UTC; a week begins on Monday", example: "week" }),
    scope,
    spent: euros.openapi({
      description:
        "Charges and holds of the current window, in EUR; with `each_end_user` of the end user who spent most",
    }),
    resets_at: resetsAt,
  })
  .openapi("Budget");

export const BudgetList = z.object({ data: z.array(Budget) }).openapi("BudgetList");
export const budgetId = uuid.openapi({ description: "Id of a budget" });
