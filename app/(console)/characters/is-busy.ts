/** Whether a training of it is under way. */
export const isBusy = ({ status }: { status: string }): boolean =>
  ["awaiting_supply", "queued", "running"].includes(status);
