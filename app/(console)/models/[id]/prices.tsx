import type { ReactNode } from "react";
import { wordOf } from "../../../parameters/parameter-props";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import type { Model } from "./model-detail";

/** What a model costs: its whole price list. */
export const Prices = ({ of: { prices } }: { of: Model }) => (
  <Card title="Price">
    <dl className="grid gap-2.5 text-sm">
      {prices.by === "tier" &&
        prices.tiers.map(({ match, euros }) => (
          <Line key={JSON.stringify(match)} name={tellMatch(match)} euros={euros} />
        ))}
      {prices.by === "token" && (
        <>
          <Line name="A million tokens of input" euros={prices.input} />
          <Line name="A million tokens of output" euros={prices.output} />
        </>
      )}
      {prices.by === "gpu-second" && (
        <>
          <Line name="A second of GPU time" euros={prices.euros} />
          <Line
            name={`At most, ${prices.most_seconds.toLocaleString("en")} seconds`}
            euros={prices.euros * prices.most_seconds}
          />
        </>
      )}
    </dl>
    <p className="mt-4 text-xs leading-5 text-soft">{notes[prices.by]}</p>
  </Card>
);

const notes = {
  tier: "For each generation, at today's rate. The first line that fits the input counts. What fails costs nothing.",
  token: "The most that an answer can cost is held first; what it used is charged. What fails costs nothing.",
  "gpu-second": "The most is held first; the time used is charged. What fails costs nothing.",
};

const tellMatch = (match: Record<string, unknown>): ReactNode => {
  const entries = Object.entries(match);
  if (entries.length === 0) return "Everything else";
  return entries.map(([name, value]) => (
    <span key={name} className="mr-3 whitespace-nowrap">
      <span className="text-soft">{name}</span> <code className="font-mono">{wordOf(value)}</code>
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
