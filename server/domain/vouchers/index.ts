/** Vouchers: codes of operators that give promotional credit, once to each account. */
export { redeemVoucher } from "./redeem";
export { type RestoredRedemptions, restoreRedemptions } from "./restore-redemptions";
export {
  createVoucher,
  listVouchers,
  MAX_REDEMPTIONS,
  MAX_VOUCHER_EUR,
  revokeVoucher,
  serializeVoucher,
} from "./voucher";
