import { Money } from "../../ui/money";
import { Meter } from "../../ui/progress-bar";
import type { Key } from "./types";

const periods = { day: "today", month: "this month" };

/** Returns the period in which a key's spend is counted, worded to follow "spent". */
export const describePeriod = ({ spend_limit_reset }: Key) =>
  spend_limit_reset ? periods[spend_limit_reset] : "all time";

/** Shows a key's spend, with its limit. */
export function Spending({ apiKey }: { apiKey: Key }) {
  const { spent, spend_limit } = apiKey;
  if (spend_limit === null) return <Money euros={spent} />;
  return (
    <div className="grid w-36 gap-1">
      <span>
        <Money euros={spent} /> <span className="text-soft">of</span> <Money euros={spend_limit} />
      </span>
      <Meter share={spent / spend_limit} label={`Spent ${describePeriod(apiKey)}`} />
      <span className="text-xs text-soft">{describePeriod(apiKey)}</span>
    </div>
  );
}
