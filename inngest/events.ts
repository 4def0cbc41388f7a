/** The events between the hub's own parts. Each is a nudge: the row is the truth, and a lost or repeated event does no harm. */
export type HubEvent =
  /** A generation is ready to run. `account` is the key by which engines share out their slots. */
  | { name: "generation/queued"; data: { id: string; account: number } }
  /** A worker's generation waits for outside content that it names. `account` is the key by which fetching is shared out. */
  | { name: "generation/inputs"; data: { id: string; account: number } }
  /** Upstream reported the end of a job, or a customer canceled it. */
  | { name: "generation/reported"; data: { id: string } }
  | { name: "generation/canceled"; data: { id: string } }
  /**
   * A webhook is to be delivered. `lane` is the key by which endpoints are kept apart. A test of an endpoint has no
   * generation.
   */
  | { name: "delivery/due"; data: { id: string; generation: string | null; round: number; lane: string } }
  /** A process has started: look for what fell through, now and not at the next full minute. */
  | { name: "hub/sweep"; data: Record<string, never> };
