import { euroFormatter } from "./number-formats";

const exactly = euroFormatter(2, 9);
const shortly = euroFormatter(2, 2);
// Two decimal places would show small amounts as zero.
const finely = euroFormatter(2, 4);

interface Props {
  euros: number;
  /** Shows every decimal place, for amounts that are added up. */
  exact?: boolean;
  className?: string;
}

/** Renders an amount in EUR, rounded for reading, with all nine decimal places in its tooltip. */
export function Money({ euros, exact: whole, className = "" }: Props) {
  const exact = exactly(euros);
  const short = Math.abs(euros) < 1 ? finely(euros) : shortly(euros);
  return (
    <span className={`tabular-nums ${className}`} title={exact}>
      {whole || (Math.abs(euros) > 0 && Math.abs(euros) < 0.0001) ? exact : short}
    </span>
  );
}

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
