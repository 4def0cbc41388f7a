/** The customer that an account is at the payment provider, and the payment method saved there. */
export {
  findOrCreateCustomer,
  forgetCustomer,
  type PaymentCustomersHub,
  PROVIDER,
  refreshMethod,
  requireProvider,
  saveMethod,
  selectCustomer,
} from "./customer";
