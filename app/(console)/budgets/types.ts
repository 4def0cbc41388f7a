import { formatPairs } from "@/server/domain/labels/pairs";
import type { Outputs } from "../../trpc/outputs";

export type Budget = Outputs["budgets"]["list"][number];
/** The keys and members that a scope can name. */
export type Subjects = Outputs["budgets"]["subjects"];

/** The windows as options of a form. */
export const windowLabels: Record<Budget["window"], string> = {
  hour: "Hourly (UTC)",
  day: "Daily (UTC)",
  week: "Weekly, on Monday (UTC)",
  month: "Monthly (UTC)",
  total: "Never",
};

const periods: Record<Budget["window"], string> = {
  hour: "this hour",
  day: "today",
  week: "this week",
  month: "this month",
  total: "all time",
};

/** Returns the current window of a budget in words. */
export const describeWindow = ({ window }: Budget): string => periods[window];

/** Returns what counts against a budget. */
export function describeScope({ scope }: Budget, { keys, members }: Subjects): string {
  if ("keys" in scope) {
    const names = scope.keys.map((id) => keys.find((key) => key.id === id)?.name ?? id);
    return `${names.length === 1 ? "API key" : "API keys"} ${names.join(", ")}`;
  }
  if ("member" in scope) {
    const { member } = scope;
    return `Member ${members.find(({ id }) => id === member)?.email ?? "who left"}`;
  }
  return "metadata" in scope ? `Metadata ${formatPairs(scope.metadata)}` : "Each end user";
}
