import { type EventName, TEST_EVENT } from "@/server/domain/events/event-names";

/** When the hub sends each event. */
export const occasions: Record<EventName | typeof TEST_EVENT, string> = {
  "generation.running": "Execution starts. Not sent for generations that are canceled or fail in the queue.",
  "generation.completed": "The generation succeeds, fails or is canceled.",
  "payment.succeeded": "A payment is credited. Data is the payment.",
  "payment.failed": "A payment fails, for example because a card is declined.",
  "payment.refunded": "A payment is refunded in whole or in part, or disputed with the bank.",
  [TEST_EVENT]: "You request a test. It carries an example generation and ignores the subscribed events.",
};
