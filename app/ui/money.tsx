import { euroFormatter } from "./numbers";

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
