import { Money } from "./money";

interface Props {
  /** Undefined until the price is known, null if there is none. */
  euros: number | null | undefined;
  /** Whether exactly this is charged; otherwise at most this. */
  isExact: boolean;
}

/** Renders the price of a click, after the button's label: "Run · €0.0092". */
export const PriceOnButton = ({ euros, isExact }: Props) =>
  euros !== null && (
    <span className={euros === undefined ? "invisible" : ""} aria-hidden={euros === undefined || undefined}>
      {isExact ? " · " : " · up to "}
      <PendingMoney euros={euros} />
    </span>
  );

/** Renders an amount, and until it is known the space of one: what is beside or below must not move under a finger. */
export const PendingMoney = ({ euros }: { euros: number | undefined }) =>
  euros === undefined ? (
    <span className="invisible tabular-nums" aria-hidden>
      €0.0000
    </span>
  ) : (
    <Money euros={euros} />
  );
