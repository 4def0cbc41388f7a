/** Payments that a customer starts, and automatic charges of a saved method. */
export { disableAutomaticTopUp, enableAutomaticTopUp, notifyPaused } from "./automatic-top-up";
export { chargeAutomatically } from "./charge-automatically";
export { getPaymentSettings } from "./payment-settings";
export { openCustomerPortal, startMethodSetup, startTopUp } from "./top-up";
