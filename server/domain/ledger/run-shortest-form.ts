import type { AccountLimits } from "../../context";
import type { Queryable } from "../../db/client";
import { isAccountChanged } from "../../db/violation";
import type { Form } from "../accounts/sql";

interface Input<V, R> {
  /** Returns the values of a form. */
  values: () => V;
  /** Runs the statement for one request in place of the plain form; absent for several. */
  runOne?: (limits: AccountLimits) => Promise<R[]>;
}

/**
 * Runs the shortest form of a statement that moves the money of these callers (decision 112). Runs the full one if an account
 * has changed since a caller's key was looked up, or if the limits of a caller are not known.
 */
export async function runShortestForm<V, R>(
  forms: Record<Form, (db: Queryable, values: V) => Promise<R[]>>,
  callers: (AccountLimits | null | undefined)[],
  db: Queryable,
  { values, runOne }: Input<V, R>,
): Promise<R[]> {
  const form = chooseForm(callers);
  if (form === "full") return forms.full(db, values());
  try {
    return await (form === "plain" && runOne ? runOne(callers[0]!) : forms[form](db, values()));
  } catch (error) {
    if (!isAccountChanged(error)) throw error;
    return forms.full(db, values());
  }
}

function chooseForm(callers: (AccountLimits | null | undefined)[]): Form {
  if (!callers.every((limits) => limits)) return "full";
  return callers.some((limits) => limits?.hasBudgets) ? "budgets" : "plain";
}
