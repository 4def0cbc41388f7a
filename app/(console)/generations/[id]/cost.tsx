import { Card } from "../../../ui/card";
import { useFormats } from "../../../ui/formats-context";
import { MoneyLines } from "../../../ui/money";
import { describeBill } from "../describe-bill";
import type { GenerationDetail } from "../types";

/** Shows what was reserved and billed, and how the amount was calculated. */
export function Cost({ generation }: { generation: GenerationDetail }) {
  const { estimated_cost, billed_cost, completed_at } = generation;
  const { sum, tier, reason } = describeBill(generation, useFormats());
  const billed = completed_at === null ? null : (billed_cost ?? 0);
  const lines = [
    ...(billed === null ? [{ name: "Estimate", euros: estimated_cost }] : []),
    { name: "Reserved", euros: estimated_cost },
    { name: "Billed", euros: billed },
    ...(billed !== null && billed < estimated_cost ? [{ name: "Released", euros: estimated_cost - billed }] : []),
  ];
  return (
    <Card title="Cost">
      <MoneyLines lines={lines} />
      <div className="mt-3 grid gap-1 border-t border-line pt-3 text-xs leading-5 text-soft">
        {sum && (
          <p className="wrap-anywhere tabular-nums">
            {sum}
            {tier && `, ${tier}`}.
          </p>
        )}
        <p>{reason}</p>
      </div>
    </Card>
  );
}
