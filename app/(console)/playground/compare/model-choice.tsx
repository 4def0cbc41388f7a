import { Input } from "../../../ui/controls";
import { Money } from "../../../ui/money";
import type { ModelSummary } from "../../models/types";
import { isExactPrice } from "../../models/exact-price";
import { MAX_MODELS, MIN_MODELS } from "./limits";

interface Props {
  models: ModelSummary[];
  chosen: ModelSummary[];
  /** What the prompt costs on each chosen model, in EUR. */
  prices: Map<string, number | undefined>;
  isTooFew: boolean;
  onChange: (ids: string[]) => void;
}

/** Chooses two to four models, with the price of each. */
export function ModelChoice({ models, chosen, prices, isTooFew, onChange }: Props) {
  const ids = chosen.map(({ id }) => id);
  const toggle = (id: string) => onChange(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Models</legend>
      <div className="grid max-h-64 gap-x-6 overflow-y-auto sm:grid-cols-2">
        {models.map((model) => (
          <label key={model.id} className="flex min-h-9 items-center gap-2 text-sm pointer-coarse:min-h-11">
            <Input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={ids.includes(model.id)}
              disabled={!ids.includes(model.id) && ids.length >= MAX_MODELS}
              onChange={() => toggle(model.id)}
            />
            <span className="min-w-0 truncate">{model.name}</span>
            <PriceOf model={model} euros={prices.get(model.id)} />
          </label>
        ))}
      </div>
      {isTooFew && (
        <p role="alert" className="text-sm text-danger">
          Choose at least {MIN_MODELS} models.
        </p>
      )}
      <p className="text-xs leading-5 text-soft">
        {MIN_MODELS} to {MAX_MODELS} models that run from a prompt.
      </p>
    </fieldset>
  );
}

const PriceOf = ({ model, euros }: { model: ModelSummary; euros: number | undefined }) =>
  euros !== undefined && (
    <span className="ml-auto shrink-0 text-xs text-soft">
      {!isExactPrice(model) && "up to "}
      <Money euros={euros} />
    </span>
  );
