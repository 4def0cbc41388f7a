import { eurosWith } from "./numbers";

const exactly = eurosWith(2, 9);
const shortly = eurosWith(2, 2);
// Small amounts would read as nothing at two places.
const finely = eurosWith(2, 4);

interface Props {
  euros: number;
  /** Where amounts are added up: all of its places. */
  exact?: boolean;
  className?: string;
}

/** An amount in EUR, short to read; all of its nine places on hover. */
export function Money({ euros, exact: whole, className = "" }: Props) {
  const exact = exactly(euros);
  const short = Math.abs(euros) < 1 ? finely(euros) : shortly(euros);
  return (
    <span className={`tabular-nums ${className}`} title={exact}>
      {whole || (Math.abs(euros) > 0 && Math.abs(euros) < 0.0001) ? exact : short}
    </span>
  );
}
