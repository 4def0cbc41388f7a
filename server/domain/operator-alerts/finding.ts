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

/** Returns whether a value that is above half of a threshold is wrong; null for a lower one. */
export const compareWith = (threshold: number, value: number): Pick<Finding, "isRaised"> | null =>
  value > threshold / 2 ? { isRaised: value > threshold } : null;
