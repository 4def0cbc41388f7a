/**
 * Events between parts of the hub. The row is the truth and an event only a hint: a lost or repeated one does no harm.
 */
export type HubEvent =
  /** A generation is ready to run. `account` is the concurrency key; `traceparent` names the span that queued it. */
  | { name: "generation/queued"; data: { id: string; account: number; traceparent?: string } }
  /** A worker's generation waits for external content. `account` is the concurrency key. */
  | { name: "generation/inputs"; data: { id: string; account: number; traceparent?: string } }
  /** Upstream reported the end of a job, or a customer canceled it. */
  | { name: "generation/reported"; data: { id: string } }
  | { name: "generation/canceled"; data: { id: string } }
  /** A running generation that waits for a route may try again. */
  | { name: "generation/dispatched"; data: { id: string } }
  /**
   * A webhook is to be delivered. `lane` is the concurrency key: an endpoint has several, a slow one has one. A test of
   * an endpoint has no generation. `more` are deliveries of the same lane that are due as well.
   */
  | { name: "delivery/due"; data: DueDelivery & { lane: string; more?: DueDelivery[] } }
  /** A provider has reported a payment, or one may be due. `id` is the provider's id of the report. */
  | { name: "payment/due"; data: { id: string } }
  /** A process has started or registers its functions: the sweep runs now instead of at the next full minute. */
  | { name: "hub/sweep"; data: Record<string, never> }
  /** An operator asks for an audit. */
  | { name: "hub/audit"; data: Record<string, never> };

export interface DueDelivery {
  id: string;
  generation: string | null;
  round: number;
}

/** The name of the error that ends the run of a generation that failed for a reason of its own, not because of the hub. */
export const GENERATION_FAILED = "GenerationFailed";
