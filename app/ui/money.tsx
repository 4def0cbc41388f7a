const format = (euros: number, digits: number) =>
  euros.toLocaleString("en", {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });

interface Props {
  euros: number;
  /** Where amounts are added up: all of its places. */
  exact?: boolean;
  className?: string;
}

/** An amount in EUR, short to read; all of its nine places on hover. */
export function Money({ euros, exact: whole, className = "" }: Props) {
  const exact = format(euros, 9);
  // Small amounts would read as nothing at two places.
  const short = format(euros, Math.abs(euros) < 1 ? 4 : 2);
  return (
    <span className={`tabular-nums ${className}`} title={exact}>
      {whole || (Math.abs(euros) > 0 && Math.abs(euros) < 0.0001) ? exact : short}
    </span>
  );
}
