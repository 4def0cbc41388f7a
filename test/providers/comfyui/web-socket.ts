import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Accepts a WebSocket of a client that sent the tests' key, and sends these bytes; answers 404 if there are none. */
export function sendMessages({ headers, url }: IncomingMessage, socket: Duplex, messages: Buffer[] | null): void {
  socket.on("error", () => undefined);
  const isWanted = headers.authorization === "Bearer test-key-0123456789" && url!.startsWith("/ws?clientId=");
  if (!messages || !isWanted) {
    socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    return;
  }
  const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${GUID}`).digest("base64");
  const lines = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: Upgrade"];
  socket.write([...lines, `sec-websocket-accept: ${accept}`, "", ""].join("\r\n"));
  for (const message of messages) socket.write(message);
}

/** Returns a frame of a server with this first byte; 0x81 for a text, 0x82 for bytes, 0x89 for a ping. */
export function frame(kind: number, payload: Buffer): Buffer {
  const size = payload.length;
  if (size < 126) return Buffer.concat([Buffer.from([kind, size]), payload]);
  const header = Buffer.alloc(size < 65_536 ? 4 : 10);
  header[0] = kind;
  header[1] = size < 65_536 ? 126 : 127;
  if (size < 65_536) header.writeUInt16BE(size, 2);
  else header.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([header, payload]);
}

/** Returns an event of ComfyUI. */
export const textFrame = (type: string, data: object): Buffer =>
  frame(0x81, Buffer.from(JSON.stringify({ type, data })));

/** Returns a preview as ComfyUI sends it: its kind, the format, the picture. */
export const previewFrame = (picture: Buffer): Buffer =>
  frame(0x82, Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]), picture]));
