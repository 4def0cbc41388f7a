import { createHash } from "node:crypto";

const md5 = (content: Uint8Array) => createHash("md5").update(content).digest();

/**
 * Computes the ETag that S3 gives content, without quotes: its MD5, or the MD5 of its parts' MD5s and their number when it
 * is larger than one part. Content that is encrypted with keys of a key service has another one.
 */
export function createEtagHash(partSize: number) {
  const parts: Buffer[] = [];
  let hash = createHash("md5");
  let size = 0;
  return {
    update(chunk: Uint8Array): void {
      for (let rest = chunk; rest.length > 0;) {
        if (size === partSize) {
          parts.push(hash.digest());
          hash = createHash("md5");
          size = 0;
        }
        const piece = rest.subarray(0, partSize - size);
        hash.update(piece);
        size += piece.length;
        rest = rest.subarray(piece.length);
      }
    },
    digest(): string {
      const last = hash.digest();
      if (parts.length === 0) return last.toString("hex");
      return `${md5(Buffer.concat([...parts, last])).toString("hex")}-${parts.length + 1}`;
    },
  };
}
