import { Link } from "../../ui/link";
import { Money } from "../../ui/money";

interface Part {
  /** Distinguishes parts of the same name. */
  id?: string;
  name: string;
  href?: string;
  spent: number;
  count: number;
}

interface Props {
  title: string;
  total: number;
  parts: Part[];
  /** The sum of the parts that are not listed. */
  others: { spent: number; count: number; parts: number } | null;
}

/** Lists the parts of a sum, largest first, each with a bar. */
export const SpendBreakdown = ({ title, total, parts, others }: Props) => {
  const all: Part[] = others ? [...parts, { ...others, id: "others", name: `${others.parts} others` }] : parts;
  const max = Math.max(...all.map(({ spent }) => spent));
  return (
    <div className="min-w-0 p-5">
      <h3 className="text-xs font-medium text-soft">{title}</h3>
      <ul className="mt-3 grid gap-3" aria-label={`Spend ${title.toLowerCase()}`}>
        {all.map(({ id, name, href, spent, count }) => (
          <li key={id ?? name} className="text-sm">
            <div className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate font-medium" title={name}>
                {href ? (
                  <Link href={href} className="hover:underline">
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </span>
              <span className="text-xs text-soft tabular-nums">{count.toLocaleString("en")}×</span>
              <Money euros={spent} />
              <span className="w-10 text-right text-xs text-soft tabular-nums">{formatShare(spent / total)}</span>
            </div>
            <div aria-hidden className="mt-1.5 h-1.5 rounded-full bg-sunken">
              <div className="h-full min-w-1 rounded-full bg-accent" style={{ width: `${(100 * spent) / max}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
};

const formatShare = (share: number) => (share < 0.005 ? "<1 %" : `${Math.round(share * 100)} %`);
