import { Meter } from "../../ui/meter";
import { Money } from "../../ui/money";
import type { Key } from "./key-table";

const periods = { day: "today", month: "this month" };

/** A key's spend, with its limit. */
export function Spending({ apiKey: { spent, spend_limit, spend_limit_reset } }: { apiKey: Key }) {
  const period = spend_limit_reset ? periods[spend_limit_reset] : "all time";
  if (spend_limit === null) return <Money euros={spent} />;
  return (
    <div className="grid w-36 gap-1">
      <span>
        <Money euros={spent} /> <span className="text-soft">of</span> <Money euros={spend_limit} />
      </span>
      <Meter share={spent / spend_limit} label={`Spent ${period}`} />
      <span className="text-xs text-soft">{period}</span>
    </div>
  );
}
