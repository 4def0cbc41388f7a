/** Alerts: finding what crossed a limit, and telling webhooks, members by e-mail and a Slack-compatible URL. */
export { AlertInput } from "./input";
export type { AlertServices, AlertsHub } from "./hub";
export { insertOperatorMessages, type OperatorMessage, sendToOperators } from "./operator-messages";
export { chooseOwnAlerts, getOwnAlerts } from "./own-alerts";
export { raiseAlerts } from "./raise-alerts";
export { sendMessages } from "./send-messages";
export { changeAlertSettings, forgetSlackUrl, getAlertSettings } from "./settings";
export { createAlertServices, reencryptSlackUrls } from "./slack-url";
export { sendTestMessage } from "./test-message";
