import type { ReactNode } from "react";
import { formatValue } from "../../../parameters/parameter-props";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import type { Model } from "../types";

/** Shows the full price list of a model. */
export const Prices = ({ model: { prices } }: { model: Model }) => (
  <Card title="Price">
    <dl className="grid gap-2.5 text-sm">
      {prices.by === "tier" &&
        prices.tiers.map(({ match, euros }) => (
          <Line key={JSON.stringify(match)} name={describeMatch(match)} euros={euros} />
        ))}
      {prices.by === "token" && (
        <>
          <Line name="Input, per 1M tokens" euros={prices.input} />
          <Line name="Output, per 1M tokens" euros={prices.output} />
        </>
      )}
      {prices.by === "gpu-second" && (
        <>
          <Line name="GPU time, per second" euros={prices.euros} />
          <Line
            name={`Maximum, ${prices.most_seconds.toLocaleString("en")} seconds`}
            euros={prices.euros * prices.most_seconds}
          />
        </>
      )}
    </dl>
    <p className="mt-4 text-xs leading-5 text-soft">{notes[prices.by]}</p>
  </Card>
);

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

const Line = ({ name, euros }: { name: ReactNode; euros: number }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>{name}</dt>
    <dd className="font-medium">
      <Money euros={euros} />
    </dd>
  </div>
);
