import type { Socket } from "node:net";
import { Client } from "undici";

const MAX_HEADER_BYTES = 16_384;
/**
 * How long a connection without a request stays open, unless its server says otherwise: less than what servers wait by
 * default, because a request that meets their end of the connection fails.
 */
const IDLE_MS = 1_000;
const MAX_IDLE_MS = 15_000;

/** A connection to an address that was checked before it was dialled, for one request at a time. */
export interface Connection {
  client: Client;
  socket: Socket;
  /** When it was opened, by `performance.now()`. */
  openedAt: number;
  /** Whether it has served a request before. */
  isReused: boolean;
  /** Whether the last response was read to its end, so that the next request can be sent. */
  isIdle: boolean;
}

/** Returns an HTTP client on an open socket. It never opens another one: a request on a closed socket fails. */
export function createConnection(origin: string, socket: Socket): Connection {
  let isOpened = false;
  const client = new Client(origin, {
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // The client expects a connection asynchronously.
    connect: (_, done) =>
      void setImmediate(() => {
        if (isOpened) return done(new Error("the connection was closed"), null);
        isOpened = true;
        done(null, socket);
      }),
  });
  return { client, socket, openedAt: performance.now(), isReused: false, isIdle: true };
}

export async function closeConnection({ client, socket }: Connection): Promise<void> {
  socket.destroy();
  await client.destroy();
}
