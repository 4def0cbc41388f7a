/** The alerts that operators get. */
export const operatorAlertNames = [
  "provider.down",
  "backlog",
  "audit.not_clean",
  "disk.nearly_full",
  "payment.failed",
  "payment.disputed",
] as const;
export type OperatorAlertName = (typeof operatorAlertNames)[number];

/** Something that is wrong now. An alert whose finding is gone is over. */
export interface Finding {
  name: OperatorAlertName;
  /** The provider, the model, the disk or the payment; unique among the findings of a name. */
  subject: string;
  /** A sentence for people. */
  detail: string;
  /** Whether it raises an alert. Otherwise it only keeps a raised one, so that a value at the threshold sends one message. */
  isRaised: boolean;
}

/**
 * Compares a value with a threshold: above it, an alert is raised; above half of it, a raised alert stays; null for a lower
 * value.
 */
export const compareWith = (threshold: number, value: number): Pick<Finding, "isRaised"> | null =>
  value > threshold / 2 ? { isRaised: value > threshold } : null;
