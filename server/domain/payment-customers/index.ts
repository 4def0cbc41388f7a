/** The customer of an account at the provider of payments, and the saved method. */
export {
  findOrCreateCustomer,
  forgetCustomer,
  PROVIDER,
  refreshMethod,
  requireProvider,
  saveMethod,
  selectCustomer,
} from "./customer";
