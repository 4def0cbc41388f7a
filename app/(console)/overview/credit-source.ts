import { useAccess, usePermission } from "../../ui/access-context";

/** How somebody gets credit: what to do, as a sentence, and whether they can do it themselves. */
export interface CreditSource {
  advice: string;
  canTopUp: boolean;
}

/** Returns how the person gets credit on a hub that takes payments, or on one whose operator adds credit. */
export function useCreditSource(takesPayments: boolean): CreditSource {
  const mayPay = usePermission("billing");
  const { isViewing } = useAccess();
  if (!takesPayments) return { advice: "Ask your hub’s operator to add some.", canTopUp: false };
  if (!mayPay || isViewing) return { advice: "Ask an owner of this account to top up.", canTopUp: false };
  return { advice: "Top up to continue.", canTopUp: true };
}
