import { isBusy } from "./is-busy";

const ACTIVE_POLL_INTERVAL_MS = 1_500;

/** Returns the poll interval in ms while a training is in progress, else false. */
export const pollWhileBusy = (characters: { status: string }[]): number | false =>
  characters.some(isBusy) && ACTIVE_POLL_INTERVAL_MS;
