/** More jobs that wait for a model are not counted. */
export const MAX_WAITING = 1_000;
