"use client";

import { useFormats } from "./formats-context";

interface Props {
  euros: number;
  /** Shows every decimal place, for amounts that are added up. */
  exact?: boolean;
  /** Shows exactly this many decimal places, so that the amounts of a column align. */
  decimals?: number;
  className?: string;
}

const MAX_DECIMALS = 9;

/** Renders an amount in EUR, rounded for reading, with all nine decimal places in its tooltip. */
export function Money({ euros, exact: isExact, decimals, className = "" }: Props) {
  const format = useFormats().euros;
  const exact = format(euros, 2, MAX_DECIMALS);
  const size = Math.abs(euros);
  // Two decimal places would show small amounts as zero.
  const short = () => format(euros, 2, size < 1 ? 4 : 2);
  const text = decimals !== undefined ? format(euros, decimals, decimals) : undefined;
  return (
    <span className={`tabular-nums ${className}`} title={exact}>
      {text ?? (isExact || (size > 0 && size < 0.0001) ? exact : short())}
    </span>
  );
}

/** Returns how many decimal places show each of the amounts in full: two to nine. */
export const countDecimals = (amounts: number[]): number =>
  Math.max(2, ...amounts.map((euros) => euros.toFixed(MAX_DECIMALS).replace(/^[^.]*\.|0+$/g, "").length));

interface MoneyLinesProps {
  /** An amount is null while it is unknown. */
  lines: { name: string; euros: number | null }[];
}

/** Lists labelled amounts. */
export const MoneyLines = ({ lines }: MoneyLinesProps) => (
  <dl className="grid gap-2 text-sm">
    {lines.map(({ name, euros }) => (
      <div key={name} className="flex justify-between gap-3">
        <dt className="text-soft">{name}</dt>
        <dd className="font-medium">{euros === null ? "—" : <Money euros={euros} />}</dd>
      </div>
    ))}
  </dl>
);
