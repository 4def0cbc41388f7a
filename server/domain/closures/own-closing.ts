import type { Ctx } from "../../context";
import { toEuros } from "../../lib/money";
import { centsToEuros } from "../payments";
import { findRefundable } from "../reconciliation";
import { type DescribedClosure, describeClosure } from "./closure";
import type { ClosuresHub } from "./hub";

/** What an owner sees before and while their account closes. Amounts are EUR. */
interface OwnClosing {
  closing: DescribedClosure | null;
  available: number;
  /** How much of `available` can be returned to the payment methods automatically. */
  refundable: number;
}

/** Returns whether the account closes, and how much of its balance can be refunded. */
export async function getOwnClosing({ hub, account }: Ctx<ClosuresHub>): Promise<OwnClosing> {
  const available = account.balance - account.reserved;
  return {
    closing: await describeClosure(hub.db, account.id, hub.now()),
    available: toEuros(available),
    refundable: centsToEuros(await findRefundable(hub, account.id)),
  };
}
