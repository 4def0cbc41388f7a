import fc from "fast-check";

const STEPS = 2 ** 32;

/** Returns a function that returns numbers from 0 to 1, evenly spread, the same ones for the same seed. */
export function createRandom(seed: number): () => number {
  // `fc.double` spreads its numbers over their representations, so that nearly all of them are almost 0.
  const numbers = fc.infiniteStream(fc.noBias(fc.integer({ min: 0, max: STEPS - 1 })));
  const [source] = fc.sample(numbers, { seed, numRuns: 1 });
  return () => (source!.next() as IteratorYieldResult<number>).value / STEPS;
}
