/** Top-ups: payments that a customer starts at the provider, and automatic charges of the saved method. */
export { disableAutomaticTopUp, enableAutomaticTopUp, notifyPaused } from "./automatic-top-up";
export { chargeAutomatically } from "./charge-automatically";
export { getPaymentSettings, takesPayments } from "./payment-settings";
export { openCustomerPortal, startMethodSetup, startTopUp } from "./top-up";
