/** Returns whether a training of the character is in progress. */
export const isBusy = ({ status }: { status: string }): boolean =>
  ["awaiting_supply", "queued", "running"].includes(status);

const ACTIVE_POLL_INTERVAL_MS = 1_500;

/** Returns the poll interval in ms while a training is in progress, else false. */
export const pollWhileBusy = (characters: { status: string }[]): number | false =>
  characters.some(isBusy) && ACTIVE_POLL_INTERVAL_MS;
