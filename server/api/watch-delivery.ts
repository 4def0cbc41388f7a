import type { ServerResponse } from "node:http";

/** Resolves to whether the last byte of an answer was handed to its socket before that closed. */
export function watchDelivery(outgoing: ServerResponse): Promise<boolean> {
  const { socket } = outgoing;
  if (!socket || outgoing.destroyed) return Promise.resolve(false);
  let delivered = false;
  // Node also emits `finish`, and counts as written, what was left when the socket broke. Listened to before Node's own
  // listener, which may close the socket of a whole answer.
  outgoing.prependListener("finish", () => (delivered = !socket.destroyed && !socket.errored));
  return new Promise((resolve) => outgoing.once("close", () => resolve(delivered)));
}
