import { Money } from "../../ui/money";
import type { ModelSummary } from "./model-card";

/** The price of a model in a line. */
export function PriceLine({ prices }: { prices: ModelSummary["prices"] }) {
  const looks = "text-sm font-medium tabular-nums";
  switch (prices.by) {
    case "tier": {
      const least = Math.min(...prices.tiers.map(({ euros }) => euros));
      return (
        <span className={looks}>
          {prices.tiers.length > 1 && <Unit>from </Unit>}
          <Money euros={least} />
        </span>
      );
    }
    case "token":
      return (
        <span className={looks}>
          <Money euros={prices.input} /> <Unit>in</Unit> · <Money euros={prices.output} /> <Unit>out / 1M tokens</Unit>
        </span>
      );
    case "gpu-second":
      return (
        <span className={looks}>
          <Money euros={prices.euros} /> <Unit>/ GPU second</Unit>
        </span>
      );
  }
}

const Unit = ({ children }: { children: string }) => <span className="font-normal text-soft">{children}</span>;
