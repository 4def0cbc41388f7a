import { Money } from "./money";

interface Props {
  /** An amount is null while it is unknown. */
  lines: { name: string; euros: number | null }[];
}

/** Lists labelled amounts. */
export const MoneyLines = ({ lines }: Props) => (
  <dl className="grid gap-2 text-sm">
    {lines.map(({ name, euros }) => (
      <div key={name} className="flex justify-between gap-3">
        <dt className="text-soft">{name}</dt>
        <dd className="font-medium">{euros === null ? "—" : <Money euros={euros} />}</dd>
      </div>
    ))}
  </dl>
);
