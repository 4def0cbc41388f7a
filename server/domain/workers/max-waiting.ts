/** Queued jobs of a model are counted up to this number. */
export const MAX_WAITING = 1_000;
