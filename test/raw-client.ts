import { connect, type Socket } from "node:net";

export interface RawClient {
  socket: Socket;
  /** Returns what the server has sent so far. */
  received(this: void): string;
  /** Resolves when the connection has closed, with the error code of a reset. */
  closed: Promise<string | null>;
}

/** Opens a connection to a URL's host and sends bytes that no HTTP client would. */
export function openRawClient(url: string, ...texts: string[]): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    let code: string | null = null;
    const socket = connect(Number(port), hostname, () => {
      for (const text of texts) socket.write(text);
      resolve({ socket, received: () => received, closed });
    });
    const closed = new Promise<string | null>((close) => socket.once("close", () => close(code)));
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      code = error.code ?? error.message;
      reject(error);
    });
  });
}

/** Opens this many connections, each of which sends the texts. */
export const openRawClients = (url: string, count: number, ...texts: string[]): Promise<RawClient[]> =>
  Promise.all(Array.from({ length: count }, () => openRawClient(url, ...texts)));

/** Returns the bytes of a GET request without a body. */
export const rawGet = (place: string, headers = ""): string => `GET ${place} HTTP/1.1\r\nHost: hub\r\n${headers}\r\n`;

/** Returns whether a client has received this many responses. */
export const isAnswered =
  (answers: number) =>
  ({ received }: RawClient): boolean =>
    (received().match(/HTTP\/1\.1 \d+ /g) ?? []).length === answers;
