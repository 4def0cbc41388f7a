/** An account's customer at the payment provider, and the payment method saved there. */
export {
  forgetCustomer,
  type PaymentCustomersHub,
  PROVIDER,
  refreshMethod,
  requireProvider,
  saveMethod,
  selectCustomer,
  withCustomer,
} from "./customer";
