import { Money } from "./money";

interface Props {
  /** What is not known yet is null. */
  lines: { name: string; euros: number | null }[];
}

/** Amounts below each other, each with its name. */
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
