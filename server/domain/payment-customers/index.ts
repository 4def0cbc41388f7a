/** The customer of an account at the provider of payments, and the saved method. */
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
