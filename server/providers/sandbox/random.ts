import { createHash } from "node:crypto";

export interface Random {
  /** A number from `low` up to `high`. */
  between(low: number, high: number): number;
}

/** A sequence of numbers that only the seed decides: SHA-256 in counter mode. */
export function createRandom(seed: string): Random {
  let block = Buffer.alloc(0);
  let counter = 0;
  const next = () => {
    if (block.length < 4) {
      block = createHash("sha256").update(`${counter}\n${seed}`).digest();
      counter += 1;
    }
    const value = block.readUInt32BE() / 2 ** 32;
    block = block.subarray(4);
    return value;
  };
  return { between: (low, high) => low + (high - low) * next() };
}
