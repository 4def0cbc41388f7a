import type { SerializedComparison } from "../domain/price-lists";
import { formatColumns } from "./format-columns";

type ComparedModel = SerializedComparison["models"][number];

/** Returns a comparison with a price list as a table, with the rates that it used, and what stays as it is and why. */
export function formatComparison({ eur_per_usd, margin, models, missing }: SerializedComparison): string[] {
  const rows = models.flatMap(toRows);
  const unchanged = models.filter(({ changes }) => changes.length === 0).map(({ model }) => model);
  return [
    `EUR per million tokens, at ${eur_per_usd} EUR per USD (EUR_PER_USD) and the catalogue's margin of ${margin}.`,
    ...(rows.length === 0 ? [] : ["", ...formatColumns([HEAD, ...rows]), ""]),
    ...models.flatMap(({ model, issue, can_be_applied }) =>
      issue === null ? [] : [`Left out: ${model} ${issue}.${can_be_applied ? ` To apply it, name ${model}.` : ""}`],
    ),
    ...models.flatMap(({ model, unlisted }) =>
      unlisted.length === 0 ? [] : [`${model}: the list has no price for ${unlisted.join(", ")}, which stays.`],
    ),
    ...(unchanged.length === 0 ? [] : [`Unchanged: ${unchanged.join(", ")}.`]),
    ...(missing.length === 0 ? [] : [`Not in the list: ${missing.join(", ")}.`]),
  ];
}

const HEAD = ["model", "price", "now", "then", "change", "margin", "source"];

const toRows = ({ model, changes }: ComparedModel): string[][] =>
  changes.map(({ price, route, now, then, percent, margin_now, margin, listed_usd, source }) => [
    model,
    route === null ? price : `${price}, cost of ${route}`,
    now === null ? "-" : String(now),
    String(then),
    percent === null ? "new" : `${percent > 0 ? "+" : ""}${percent}%`,
    margin === null ? "-" : margin === margin_now ? String(margin) : `${margin_now} -> ${margin}`,
    listed_usd === null ? source : `${source}: ${listed_usd} USD`,
  ]);
