/** The steps that make an archive, in their order; `directory` ends it. */
export const steps = [
  "generations",
  "statement",
  "payments",
  "keys",
  "members",
  "webhooks",
  "characters",
  "files",
  "contents",
  "missing-files",
  "readme",
  "directory",
] as const;
export type Step = (typeof steps)[number];

/** Where an export continues after a part, or after a crash. */
export interface Position {
  step: Step;
  /** The position of the last row in the step's list; null at its beginning. */
  after: string | null;
  /** The number of the next file of a list: a long list is divided into several files. */
  file: number;
}

/** Where every export begins. */
export const firstPosition: Position = { step: steps[0], after: null, file: 1 };

/** Returns the beginning of the step after this one. */
export const nextStep = (step: Step): Position => ({ ...firstPosition, step: steps[steps.indexOf(step) + 1]! });
