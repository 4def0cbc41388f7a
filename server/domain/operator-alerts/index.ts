/** Alerts of the hub's operators: searching what is wrong with the hub, who is told by the settings, a test. */
export { operatorAlertNames } from "./finding";
export { listOperatorAlerts } from "./list-operator-alerts";
export { raiseOperatorAlerts } from "./raise-operator-alerts";
export { getAlertRecipients, sendTestToOperators } from "./recipients";
