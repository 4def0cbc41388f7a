import { createHash } from "node:crypto";

export interface Random {
  /** Returns a number between `low` and `high`. */
  between(low: number, high: number): number;
}

/** Returns a deterministic sequence of pseudo-random numbers for a seed: SHA-256 in counter mode. */
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
