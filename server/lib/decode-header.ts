import { isUtf8 } from "node:buffer";

/** Returns the text of a header, whose bytes Node reads as Latin-1 while programs send UTF-8. */
export function decodeHeader(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString() : header;
}
