/** Limits for inputs whose schema sets none, so that validation always ends soon. */
export const DEFAULT_MAX_LENGTH = 100_000;
export const DEFAULT_MAX_ITEMS = 1_000;
/** Maximum limits that a catalogue may set. */
export const MAX_LENGTH = 1_000_000;
export const MAX_ITEMS = 10_000;
/** Maximum steps of a pattern on the longest string that it is tested on. */
export const MAX_PATTERN_STEPS = 10_000_000;
