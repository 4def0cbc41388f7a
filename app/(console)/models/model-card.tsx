import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { Modalities } from "./modalities";
import { PriceLine } from "./price-line";

export type ModelSummary = inferRouterOutputs<Root>["models"]["list"][number];

/** A summary of a model in the list. */
export const ModelCard = ({
  model: { id, name, description, available, prices, ...model },
}: {
  model: ModelSummary;
}) => (
  <li className="relative flex flex-col gap-2 rounded-xl border border-line bg-raised p-5 hover:border-strong-line">
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
    <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-2">
      <Modalities input={model.input_modalities} output={model.output_modalities} />
      <PriceLine prices={prices} />
    </div>
  </li>
);
