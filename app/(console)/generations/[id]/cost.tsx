import { Card } from "../../../ui/card";
import { Money, MoneyLines } from "../../../ui/money";
import { perUnit } from "../../../ui/price-units";
import type { GenerationDetail } from "../types";

/** Shows the estimate, the billed cost and how the price was calculated. */
export function Cost({
  generation: { estimated_cost, billed_cost, completed_at, price },
}: {
  generation: GenerationDetail;
}) {
  const isSettled = completed_at !== null;
  const lines = [
    { name: "Estimate", euros: estimated_cost },
    { name: "Reserved", euros: isSettled ? 0 : estimated_cost },
    { name: "Billed", euros: isSettled ? (billed_cost ?? 0) : null },
  ];
  return (
    <Card title="Cost">
      <MoneyLines lines={lines} />
      <p className="mt-3 border-t border-line pt-3 text-xs leading-5 text-soft">
        <PriceLine price={price} /> You never pay more than the estimate.
      </p>
    </Card>
  );
}

function PriceLine({ price }: { price: GenerationDetail["price"] }) {
  switch (price.by) {
    case "tier":
      return <TierLine price={price} />;
    case "token":
      return (
        <>
          <Money euros={price.input_per_million} /> per 1M input tokens, up to{" "}
          {price.most_input_tokens.toLocaleString("en")}; <Money euros={price.output_per_million} /> per 1M output
          tokens, up to {price.most_output_tokens.toLocaleString("en")}.
        </>
      );
    case "gpu-second":
      return (
        <>
          <Money euros={price.price_per_second} /> per second of GPU time, up to{" "}
          {price.most_seconds.toLocaleString("en")} seconds.
        </>
      );
    default:
      // Other versions of the hub may have used other kinds of prices.
      return null;
  }
}

/** Shows the factors of a price: "$0.04 per image, then $0.02, for up to 4 × 0.92 €/$ for resolution 2k." */
function TierLine({ price }: { price: Extract<GenerationDetail["price"], { by: "tier" }> }) {
  const { unit, quantity = 1, next_price_usd: next } = price;
  const match = Object.entries(price.match).map(([name, value]) => `${name} ${String(value)}`);
  return (
    <>
      ${price.price_usd}
      {unit &&
        ` ${perUnit[unit]}${next === undefined ? "" : `, then $${next}`}, for up to ${formatCount(quantity)},`} ×{" "}
      {price.eur_per_usd} €/${match.length > 0 && ` for ${match.join(", ")}`}.
    </>
  );
}

const formatCount = (quantity: number) => quantity.toLocaleString("en", { maximumFractionDigits: 3 });
