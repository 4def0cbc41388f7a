import { Confirm } from "../../../../ui/dialog";
import { Money } from "../../../../ui/money";

interface Props {
  /** In EUR; null if the hub does not name one. */
  cost: number | null;
  onSend: () => void;
  onCancel: () => void;
}

/** Asks before a request that is charged, with its price. */
export const ConfirmCost = ({ cost, onSend, onCancel }: Props) => (
  <Confirm open onOpenChange={(open) => !open && onCancel()} title="Send this request?" verb="Send" onConfirm={onSend}>
    {cost === null ? (
      "It is charged to your balance. The hub names no price for it, for example because the input is not valid."
    ) : (
      <>
        It is charged to your balance, <Money euros={cost} exact /> at most.
      </>
    )}
  </Confirm>
);
