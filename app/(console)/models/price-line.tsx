import { Money } from "../../ui/money";
import type { ModelSummary } from "./model-card";

/** A one-line summary of a model's price. */
export function PriceLine({ prices }: { prices: ModelSummary["prices"] }) {
  const baseClass = "text-sm font-medium tabular-nums";
  switch (prices.by) {
    case "tier": {
      const min = Math.min(...prices.tiers.map(({ euros }) => euros));
      return (
        <span className={baseClass}>
          {prices.tiers.length > 1 && <Unit>from </Unit>}
          <Money euros={min} />
        </span>
      );
    }
    case "token":
      return (
        <span className={baseClass}>
          <Money euros={prices.input} /> <Unit>in</Unit> · <Money euros={prices.output} /> <Unit>out / 1M tokens</Unit>
        </span>
      );
    case "gpu-second":
      return (
        <span className={baseClass}>
          <Money euros={prices.euros} /> <Unit>/ GPU second</Unit>
        </span>
      );
  }
}

const Unit = ({ children }: { children: string }) => <span className="font-normal text-soft">{children}</span>;
