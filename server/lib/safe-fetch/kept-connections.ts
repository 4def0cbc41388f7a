import { closeConnection, type Connection } from "./connection";

const MAX_KEPT = 256;
const MAX_SESSIONS = 1_000;

/** The connections that wait for the next request of their key, and what resumes TLS with its server. */
export interface KeptConnections {
  /** Removes and returns the connection of a key that was used last; undefined when none is open. */
  take(key: string): Connection | undefined;
  /** Keeps a connection whose request has ended, or closes it when too many are kept. */
  keep(key: string, connection: Connection): Promise<void>;
  /** Returns the TLS session of the key's last connection. */
  getSession(key: string): Buffer | undefined;
  saveSession(key: string, session: Buffer): void;
}

/**
 * Returns no connections yet. One that is older than `maxAgeMs` is not kept: for the next one the host's addresses are
 * looked up and checked again.
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
