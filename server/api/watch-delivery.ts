import type { ServerResponse } from "node:http";

/** Resolves to whether the whole response was written to its socket before the socket closed. */
export function watchDelivery(outgoing: ServerResponse): Promise<boolean> {
  const { socket } = outgoing;
  if (!socket || outgoing.destroyed) return Promise.resolve(false);
  let delivered = false;
  // Node also emits `finish` when the socket broke with bytes unsent, so the state of the socket decides. The listener runs
  // before Node's own, which may close the socket after a complete response.
  outgoing.prependListener("finish", () => (delivered = !socket.destroyed && !socket.errored));
  return new Promise((resolve) => outgoing.once("close", () => resolve(delivered)));
}
