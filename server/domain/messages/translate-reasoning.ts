import { isObject } from "../../lib/is-object";
import { expectObject, isAbsent, type Json, type Translation } from "./translation";

/** Efforts of reasoning, from the lowest. */
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
/** Efforts that every model with an effort supports. */
const COMMON_EFFORTS = ["low", "medium", "high"];
/** The effort for a thinking budget of up to this many tokens. */
const BUDGETS: [upTo: number, effort: string][] = [
  [4_096, "low"],
  [16_384, "medium"],
  [Infinity, "high"],
];

/** Returns the effort of a chat for `thinking` and `output_config.effort`. */
export function translateReasoning(thinking: unknown, outputConfig: unknown, translation: Translation): Json {
  const { type, budget_tokens: budget } = isAbsent(thinking) ? ({} as Json) : expectObject(thinking, "thinking");
  const effort = isObject(outputConfig) ? outputConfig.effort : undefined;
  if (!translation.model.supports.reasoning) {
    if (type !== undefined && type !== "disabled") translation.dropped.add("thinking");
    if (!isAbsent(effort)) translation.dropped.add("output_config.effort");
    return {};
  }
  const wanted = type === "disabled" ? EFFORTS[0] : isAbsent(effort) ? effortOf(budget) : effort;
  return typeof wanted === "string" ? { reasoning_effort: nearestEffort(wanted, translation) } : {};
}

const effortOf = (budget: unknown): string | undefined =>
  typeof budget === "number" ? BUDGETS.find(([upTo]) => budget <= upTo)?.[1] : undefined;

/** Returns the effort of the model that is nearest to the wanted one, from below if there is one. */
function nearestEffort(wanted: string, { model }: Translation): string {
  const { enum: offered } = model.parametersSchema.properties.reasoning_effort ?? {};
  const listed = EFFORTS.filter((effort) => Array.isArray(offered) && offered.includes(effort));
  const efforts = listed.length > 0 ? listed : COMMON_EFFORTS;
  const rank = EFFORTS.indexOf(wanted);
  // A newer effort than these is forwarded, so that the provider decides.
  if (rank === -1) return wanted;
  return efforts.findLast((effort) => EFFORTS.indexOf(effort) <= rank) ?? efforts[0]!;
}
