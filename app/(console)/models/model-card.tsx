import { describePerUnit } from "@/server/catalogue/price-units";
import { ArrowRight } from "lucide-react";
import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { Price } from "../../ui/shown-prices";
import { ModelPicture } from "./model-picture";
import { TypicalRun } from "./typical-run";
import type { ModelSummary } from "./types";

interface Props {
  model: ModelSummary;
  showsPicture: boolean;
  /** Whether it is among the first cards, whose pictures load with the page. */
  isFirst: boolean;
}

/** Shows a summary of a model in the list. */
export const ModelCard = ({ model, showsPicture, isFirst }: Props) => {
  const { id, name, description, available, prices } = model;
  return (
    <li className="relative flex flex-col overflow-hidden rounded-xl border border-line bg-raised hover:border-strong-line">
      {showsPicture && (
        <span
          // On a phone, where cards are not side by side, an icon is not worth its height.
          className={`aspect-[4/3] overflow-hidden border-b border-line ${model.samples.length === 0 ? "max-md:hidden" : ""}`}
        >
          <ModelPicture model={model} iconSize={40} isFirst={isFirst} />
        </span>
      )}
      <div className="flex flex-1 flex-col gap-2 p-5">
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 font-semibold">
            <Link href={`/models/${encodeURIComponent(id)}`} className="after:absolute after:inset-0 after:rounded-xl">
              {name}
            </Link>
          </h2>
          {!available && <Badge tone="warning">Unavailable</Badge>}
        </div>
        <code className="truncate font-mono text-xs text-soft">{id}</code>
        {description && <p className="line-clamp-2 text-sm leading-6 text-soft">{description}</p>}
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pt-2">
          <Modalities input={model.input_modalities} output={model.output_modalities} />
          <PriceLine prices={prices} />
        </div>
        {/* Also without content, so that the cards of a row align. */}
        <p className="min-h-4 text-xs text-soft">
          <TypicalRun model={model} />
        </p>
      </div>
    </li>
  );
};

/** A one-line summary of a model's price. */
function PriceLine({ prices }: { prices: ModelSummary["prices"] }) {
  const baseClass = "text-sm font-medium tabular-nums";
  switch (prices.by) {
    case "tier": {
      const min = Math.min(...prices.tiers.map(({ euros }) => euros));
      return (
        <span className={baseClass}>
          {prices.tiers.length > 1 && <Unit>from </Unit>}
          <Price euros={min} />
          {prices.unit && <Unit>{` ${describePerUnit(prices.unit)}`}</Unit>}
        </span>
      );
    }
    case "token":
      return (
        <span className={baseClass}>
          <Price euros={prices.input} />{" "}
          {prices.output > 0 ? (
            <>
              <Unit>in</Unit> · <Price euros={prices.output} /> <Unit>out / 1M tokens</Unit>
            </>
          ) : (
            <Unit>/ 1M tokens</Unit>
          )}
        </span>
      );
    case "gpu-second":
      return (
        <span className={baseClass}>
          <Price euros={prices.euros} /> <Unit>/ GPU second</Unit>
        </span>
      );
  }
}

const Unit = ({ children }: { children: string }) => <span className="font-normal text-soft">{children}</span>;

/** Shows a model's input and output types: "text, image → image". */
export const Modalities = ({ input, output }: { input: string[]; output: string[] }) => (
  <span className="inline-flex items-center gap-1.5 text-xs text-soft">
    {input.join(", ")}
    <ArrowRight size={12} aria-label="to" role="img" />
    {output.join(", ")}
  </span>
);
