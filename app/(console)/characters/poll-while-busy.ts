import { isBusy } from "./is-busy";

const BUSY_MS = 1_500;

/** Milliseconds until a page looks again: soon while a training is under way, else never. */
export const pollWhileBusy = (characters: { status: string }[]): number | false => characters.some(isBusy) && BUSY_MS;
