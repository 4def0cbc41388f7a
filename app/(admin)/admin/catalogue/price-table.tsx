"use client";

import { Button } from "../../../ui/button";
import { Table, Td, Th } from "../../../ui/table";
import type { ComparedPrices } from "./types";

type ComparedModel = ComparedPrices["models"][number];

interface Props {
  compared: ComparedPrices;
  onApply: (models: string[]) => void;
}

/** Lists the prices that differ from a list, with a button for each model and one for all that change little. */
export function PriceTable({ compared, onApply }: Props) {
  const { eur_per_usd, margin, models, missing } = compared;
  const changed = models.filter(({ changes }) => changes.length > 0);
  const small = changed.filter(({ issue }) => issue === null).map(({ model }) => model);
  return (
    <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm leading-6">
      <p className="text-soft">
        EUR per million tokens, at {eur_per_usd} EUR per USD and the catalogue’s margin of {margin}.
      </p>
      {changed.length === 0 && <p>All prices agree with the list.</p>}
      {changed.length > 0 && (
        <Table label="Changed prices">
          <thead>
            <tr>
              {["Model", "Price", "Now", "Then", "Change", "Margin", "Source"].map((name) => (
                <Th key={name}>{name}</Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changed.map((model) => (
              <ModelRows key={model.model} compared={model} onApply={onApply} />
            ))}
          </tbody>
        </Table>
      )}
      {missing.length > 0 && <p className="wrap-anywhere text-soft">Not in the list: {missing.join(", ")}.</p>}
      {small.length > 0 && (
        <span>
          <Button kind="primary" onClick={() => onApply(small)}>
            {small.length === changed.length ? "Apply all" : `Apply all ${small.length} small changes`}
          </Button>
        </span>
      )}
    </div>
  );
}

interface ModelProps extends Pick<Props, "onApply"> {
  compared: ComparedModel;
}

const ModelRows = ({ compared, onApply }: ModelProps) =>
  compared.changes.map(({ price, route, now, then, percent, margin_now, margin, listed_usd, source }, index) => (
    <tr key={`${price} ${route}`}>
      {index === 0 && (
        <Td rowSpan={compared.changes.length} className="min-w-40 align-top">
          <ModelCell compared={compared} onApply={onApply} />
        </Td>
      )}
      <Td>
        {price}
        {route !== null && <span className="block text-xs text-soft">Cost of {route}</span>}
      </Td>
      <Td className="tabular-nums">{now ?? "–"}</Td>
      <Td className="tabular-nums">{then}</Td>
      <Td className="tabular-nums">{percent === null ? "New" : `${percent > 0 ? "+" : ""}${percent}%`}</Td>
      <Td className="tabular-nums">{margin === margin_now ? (margin ?? "–") : `${margin_now} → ${margin}`}</Td>
      <Td className="text-soft">{listed_usd === null ? source : `${source}: ${listed_usd} USD`}</Td>
    </tr>
  ));

const ModelCell = ({ compared: { model, unlisted, issue, can_be_applied }, onApply }: ModelProps) => (
  <span className="grid justify-items-start gap-2 whitespace-normal">
    <span className="font-medium wrap-anywhere">{model}</span>
    {issue !== null && <span className="text-xs text-warning">{toSentence(issue)}</span>}
    {unlisted.length > 0 && <span className="text-xs text-soft">Not in the list: {unlisted.join(", ")}</span>}
    {can_be_applied && (
      <Button aria-label={`Apply prices of ${model}`} onClick={() => onApply([model])}>
        Apply
      </Button>
    )}
  </span>
);

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
