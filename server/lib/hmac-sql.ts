/** The length of a block of SHA-256, to which HMAC pads its key. */
const BLOCK_BYTES = 64;

/**
 * Returns SQL for the HMAC-SHA256 of bytes: Postgres has SHA-256 without an extension, but no HMAC. The parameters are those of
 * `getHmacPads`.
 */
export const hmacSql = (bytes: string): string => `sha256(:outer_pad::bytea || sha256(:inner_pad::bytea || ${bytes}))`;

/** Returns the parameters of `hmacSql` for a key of at most 64 bytes. */
export function getHmacPads(key: Buffer): { inner_pad: Buffer; outer_pad: Buffer } {
  const padded = Buffer.concat([key, Buffer.alloc(BLOCK_BYTES)]).subarray(0, BLOCK_BYTES);
  const pad = (byte: number) => Buffer.from(padded.map((one) => one ^ byte));
  return { inner_pad: pad(0x36), outer_pad: pad(0x5c) };
}
