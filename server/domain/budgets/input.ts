import { z } from "zod";
import { BudgetMetadataInput } from "../labels";
import { budgetWindows } from "./window";

const MAX_KEYS = 100;
const MAX_INT4 = 2 ** 31 - 1;

const scopes = [
  z.strictObject({
    keys: z
      .array(z.uuid("must be ids of API keys").toLowerCase())
      .min(1, "must name at least one key")
      .max(MAX_KEYS, `must name at most ${MAX_KEYS} keys`)
      .refine((ids) => new Set(ids).size === ids.length, "must name each key once"),
  }),
  z.strictObject({ member: z.int().min(1).max(MAX_INT4) }),
  z.strictObject({ metadata: BudgetMetadataInput }),
  z.strictObject({ each_end_user: z.literal(true) }),
] as const;

const members = {
  name: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(100, "must have at most 100 characters")
    .meta({ description: "Shown to who is rejected", example: "Team blue" }),
  amount: z
    .number()
    .positive("must be above zero")
    .max(1_000_000, "must be at most 1000000")
    .meta({ description: "Maximum spend in each window, in EUR", example: 50 }),
  window: z
    .enum(budgetWindows)
    .meta({ description: "How often it resets, in UTC; a week begins on Monday, and `total` never ends" }),
  scope: z
    .union(scopes, { error: "must be one of {keys}, {member}, {metadata} and {each_end_user: true}" })
    .meta({ description: "What counts against it", example: { metadata: { team: "blue" } } }),
};

/** The request body that creates a budget. */
export const BudgetInput = z.strictObject(members).meta({ id: "BudgetRequest" });

/** The request body that changes a budget. Absent members stay as they are. */
export const BudgetPatch = z.strictObject(members).partial().meta({ id: "BudgetPatch" });

export type BudgetRequest = z.output<typeof BudgetInput>;
export type BudgetChange = z.output<typeof BudgetPatch>;
