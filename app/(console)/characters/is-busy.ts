/** Returns whether a training of the character is in progress. */
export const isBusy = ({ status }: { status: string }): boolean =>
  ["awaiting_supply", "queued", "running"].includes(status);
