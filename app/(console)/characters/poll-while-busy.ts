const BUSY_MS = 1_500;

/** Milliseconds until a page looks again: soon while a training is under way, else never. */
export const pollWhileBusy = (characters: { status: string }[]): number | false =>
  characters.some(({ status }) => ["awaiting_supply", "queued", "running"].includes(status)) && BUSY_MS;
