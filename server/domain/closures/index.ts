/** Closing accounts, erasing accounts and people, and erasing them again in a restored backup. */
export { advanceClosures, eraseClosedAccounts } from "./advance-closures";
export { applyTombstones } from "./apply-tombstones";
export { type DescribedClosure, describeClosure, getClosing } from "./closure";
export { waits } from "./find-waits";
export { getOwnClosing } from "./own-closing";
export { requestPersonErasure } from "./erase-person";
export { erasePending } from "./pending-erasure";
export {
  BalanceChoice,
  closeAccountByOperator,
  closeOwnAccount,
  keepAccountByOperator,
  keepOwnAccount,
  MAX_CLOSING_DAYS,
  REFLECTION_DAYS,
} from "./request-closing";
