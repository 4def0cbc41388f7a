import type { Ctx } from "../../context";
import { type AppError, isAppError } from "../../errors";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { createPacer } from "../../lib/pace";
import { type ModelsHub, priceInput } from "../models";
import { checkInputSize } from "./input-size";

/** How many rejected inputs a preview names. */
const MAX_NAMED = 20;

/** Why an input of a batch would be rejected. */
export interface InputIssue {
  /** Its position among the inputs. */
  index: number;
  /** The parameter; null for the input as a whole. */
  parameter: string | null;
  message: string;
}

/**
 * Returns what a batch of these inputs would cost at most in EUR, without creating it, how many inputs would be rejected, and
 * why the first of them would be. Characters and the account's files are checked only when it is created. Throws 404 for the
 * model.
 */
export async function previewBatch(
  ctx: Ctx<ModelsHub>,
  { model, inputs }: { model: string; inputs: Record<string, unknown>[] },
) {
  const pause = createPacer();
  const issues: InputIssue[] = [];
  let cost: Nano = 0n;
  let rejected = 0;
  for (const [index, input] of inputs.entries()) {
    await pause();
    try {
      checkInputSize(input, `inputs.${index}`);
      cost += parseDecimal(priceInput(ctx, model, input).estimated_cost);
    } catch (error) {
      if (!isAppError(error) || error.code === "model_not_found") throw error;
      rejected += 1;
      if (issues.length < MAX_NAMED) issues.push(toIssue(index, error));
    }
  }
  return { count: inputs.length, rejected, issues, estimated_cost: toEuros(cost), currency: "EUR" as const };
}

/** Returns the first issue of an error, or its message if it names no place. */
function toIssue(index: number, { extras, message }: AppError): InputIssue {
  const [issue] = Object.entries(extras.errors ?? {});
  if (!issue) return { index, parameter: null, message };
  const [place, [first = message]] = issue;
  const [root, parameter = null] = place.split(".");
  return { index, parameter: root === "input" ? parameter : null, message: first };
}
