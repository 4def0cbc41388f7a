import type { ReactNode } from "react";
import { describePerUnit, tokenClasses, tokenClassNames } from "@/server/catalogue/price-units";
import { formatValue } from "../../../parameters/parameter-props";
import { Count } from "../../../ui/formats-context";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import type { Model } from "../types";

/** Shows the full price list of a model. */
export const Prices = ({ model: { prices } }: { model: Model }) => (
  <Card title="Price">
    <dl className="grid gap-2.5 text-sm">
      {prices.by === "tier" &&
        prices.tiers.map(({ match, euros, next }) => (
          <Line
            key={JSON.stringify(match)}
            name={describeMatch(match)}
            euros={euros}
            unit={prices.unit && describePerUnit(prices.unit)}
            next={next}
          />
        ))}
      {prices.by === "token" &&
        tokenClassNames.map((name) => (
          <Line key={name} name={`${tokenClasses[name].label}, per 1M tokens`} euros={prices[name]} />
        ))}
      {prices.by === "gpu-second" && (
        <>
          <Line name="GPU time, per second" euros={prices.euros} />
          <Line
            name={
              <>
                Maximum, <Count value={prices.most_seconds} /> seconds
              </>
            }
            euros={prices.euros * prices.most_seconds}
          />
        </>
      )}
    </dl>
    <p className="mt-4 text-xs leading-5 text-soft">
      {prices.by === "tier" && prices.unit ? UNIT_NOTE : notes[prices.by]}
    </p>
  </Card>
);

const UNIT_NOTE =
  "At today’s exchange rate. The first matching row applies. We reserve what you ask for, then charge what was delivered. Failures are free.";

const notes = {
  tier: "Per generation at today’s exchange rate. The first matching row applies. Failures are free.",
  token: "We reserve the maximum, then charge what was used. Failures are free.",
  "gpu-second": "We reserve the maximum, then charge the time used. Failures are free.",
};

const describeMatch = (match: Record<string, unknown>): ReactNode => {
  const entries = Object.entries(match);
  if (entries.length === 0) return "Everything else";
  return entries.map(([name, value]) => (
    <span key={name} className="mr-3 whitespace-nowrap">
      <span className="text-soft">{name}</span> <code className="font-mono">{formatValue(value)}</code>
    </span>
  ));
};

interface LineProps {
  name: ReactNode;
  euros: number;
  /** Such as "per image". */
  unit?: string | null;
  /** The price of each further unit, if it differs. */
  next?: number | null;
}

const Line = ({ name, euros, unit, next = null }: LineProps) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>{name}</dt>
    <dd className="text-right font-medium">
      <Money euros={euros} />
      {unit && <span className="font-normal text-soft"> {unit}</span>}
      {next !== null && (
        <span className="block text-xs font-normal text-soft">
          then <Money euros={next} />
        </span>
      )}
    </dd>
  </div>
);
