import { Money } from "./money";

interface Props {
  /** Undefined until the price is known. */
  euros: number | undefined;
  /** Whether exactly this is charged; otherwise at most this. */
  isExact: boolean;
}

/** Renders the price of a click, after the button's label: "Run · €0.0092". */
export const PriceOnButton = ({ euros, isExact }: Props) =>
  euros !== undefined && (
    <>
      {isExact ? " · " : " · up to "}
      <Money euros={euros} />
    </>
  );
