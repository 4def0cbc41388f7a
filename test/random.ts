import fc from "fast-check";

/** Returns a function that returns numbers from 0 to 1, the same ones for the same seed. */
export function createRandom(seed: number): () => number {
  const numbers = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  const [source] = fc.sample(numbers, { seed, numRuns: 1 });
  return () => (source!.next() as IteratorYieldResult<number>).value;
}
