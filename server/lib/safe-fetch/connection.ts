import type { Socket } from "node:net";
import { Client } from "undici";

const MAX_HEADER_BYTES = 16_384;
/**
 * How long a connection without a request stays open, unless its server says otherwise: less than servers wait by
 * default, because a request fails if the server closes the connection at that moment.
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

const MAX_KEPT = 256;
const MAX_SESSIONS = 1_000;

/** The connections that wait for the next request of their key, and the TLS sessions by which new ones resume. */
interface KeptConnections {
  /** Removes and returns the connection of a key that was used last; undefined when none is open. */
  take(key: string): Connection | undefined;
  /** Keeps a connection whose request has ended, or closes it when too many are kept. */
  keep(key: string, connection: Connection): Promise<void>;
  /** Returns the TLS session of the key's last connection. */
  getSession(key: string): Buffer | undefined;
  saveSession(key: string, session: Buffer): void;
}

/**
 * Creates an empty store of connections. One that is older than `maxAgeMs` is not kept: for the next one the host's
 * addresses are looked up and checked again.
 */
export function createKeptConnections(maxAgeMs: number): KeptConnections {
  const idle = new Map<string, Set<Connection>>();
  const sessions = new Map<string, Buffer>();
  let size = 0;

  const forget = (key: string, connection: Connection) => {
    const connections = idle.get(key);
    if (!connections?.delete(connection)) return;
    size -= 1;
    if (connections.size === 0) idle.delete(key);
  };
  return {
    take(key) {
      const connection = [...(idle.get(key) ?? [])].findLast(({ socket }) => !socket.destroyed);
      if (connection) forget(key, connection);
      return connection;
    },
    async keep(key, connection) {
      const { socket, openedAt } = connection;
      const isUsable = connection.isIdle && !socket.destroyed && performance.now() - openedAt < maxAgeMs;
      if (!isUsable || size >= MAX_KEPT) return closeConnection(connection);
      if (!connection.isReused) socket.once("close", () => forget(key, connection));
      connection.isReused = true;
      idle.set(key, (idle.get(key) ?? new Set()).add(connection));
      size += 1;
    },
    getSession: (key) => sessions.get(key),
    saveSession(key, session) {
      sessions.delete(key);
      sessions.set(key, session);
      if (sessions.size > MAX_SESSIONS) sessions.delete(sessions.keys().next().value!);
    },
  };
}
