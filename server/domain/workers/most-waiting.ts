/** More jobs that wait for a model are not counted. */
export const MOST_WAITING = 1_000;
