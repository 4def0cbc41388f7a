/** Webhook events: their names, and the SQL that inserts events and deliveries with the change that causes them. */
export {
  dispatchDeliveries,
  type EventsHub,
  getRedispatchTime,
  isSlowGroup,
  MAX_PER_GROUP,
  type PendingDelivery,
  REDISPATCH_AFTER_SECONDS,
} from "./dispatch-deliveries";
export { emitAccountEvent } from "./emit-events";
export {
  alertEventNames,
  type AlertName,
  describeEvent,
  type EventName,
  eventNames,
  generationEventNames,
  isMoneyEventName,
  paymentEventNames,
  TEST_EVENT,
} from "./event-names";
