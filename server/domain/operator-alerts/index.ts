/** Alerts of the hub's operators: finding what is wrong with the hub, and the recipients, with a test message to them. */
export { operatorAlertNames } from "./finding";
export { listOperatorAlerts } from "./list-operator-alerts";
export { raiseOperatorAlerts } from "./raise-operator-alerts";
export { getAlertRecipients, sendTestToOperators } from "./recipients";
