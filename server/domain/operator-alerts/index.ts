/** Alerts of the hub's operators: searching what is wrong with the hub, and the recipients, a test. */
export { operatorAlertNames } from "./finding";
export { listOperatorAlerts } from "./list-operator-alerts";
export { raiseOperatorAlerts } from "./raise-operator-alerts";
export { getAlertRecipients, sendTestToOperators } from "./recipients";
