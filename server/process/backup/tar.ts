const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const FILE_TYPE = "0";

/** Returns the header of a regular file in the format ustar, which every `tar` reads. */
export function encodeTarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new RangeError(`the name ${name} is too long for a tar archive`);
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write(" ".repeat(8), 148);
  header.write(FILE_TYPE, 156);
  header.write("ustar\x0000", 257);
  header.write(`${sumBytes(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/**
 * Returns the name and size of a header; null for a block of zeros, which ends an archive. Throws for anything else.
 */
export function decodeTarHeader(header: Buffer): { name: string; size: number } | null {
  if (header.every((byte) => byte === 0)) return null;
  const expected = Buffer.from(header).fill(" ", 148, 156);
  const isHeader = header.toString("latin1", 257, 262) === "ustar" && readOctal(header, 148, 8) === sumBytes(expected);
  if (!isHeader) throw new RangeError("not a header of a tar archive");
  const end = header.subarray(0, MAX_NAME_BYTES).indexOf(0);
  return { name: header.toString("utf8", 0, end < 0 ? MAX_NAME_BYTES : end), size: readOctal(header, 124, 12) };
}

const sumBytes = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0);
const readOctal = (header: Buffer, start: number, length: number): number =>
  Number.parseInt(header.toString("latin1", start, start + length).replace(/[\0 ].*$/, ""), 8);

/** Returns the zeros that pad content of this size to whole blocks. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);

export const TAR_BLOCK_BYTES = BLOCK_BYTES;
/** The end of an archive: two blocks of zeros. */
export const tarEnd = Buffer.alloc(2 * BLOCK_BYTES);
