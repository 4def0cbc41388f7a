/** What an input may hold where its schema sets no limit: every check must end soon, whatever is sent. */
export const DEFAULT_MAX_LENGTH = 100_000;
export const DEFAULT_MAX_ITEMS = 1_000;
/** Limits that a catalogue may set at most. */
export const MAX_LENGTH = 1_000_000;
export const MAX_ITEMS = 10_000;
/** Steps that a pattern may need on the longest string it is given. */
export const MAX_PATTERN_STEPS = 10_000_000;
