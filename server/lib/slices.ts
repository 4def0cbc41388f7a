import { setImmediate as startNextTurn } from "node:timers/promises";

/** Work that can pause: other work may run at each `yield`. */
export type SlicedWork<T> = Generator<void, T, void>;

/** Runs work to completion without pauses. */
export function runAtOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const SLICE_MS = 5;

/** Runs work in slices of a few milliseconds, each by `runSlice`: by default each in a turn of the event loop. */
export async function runInSlices<T>(
  work: SlicedWork<T>,
  runSlice: (slice: () => IteratorResult<void, T>) => Promise<IteratorResult<void, T>> = (slice) =>
    startNextTurn().then(slice),
): Promise<T> {
  const advance = () => {
    const endAt = performance.now() + SLICE_MS;
    for (;;) {
      const step = work.next();
      if (step.done || performance.now() >= endAt) return step;
    }
  };
  for (;;) {
    const step = await runSlice(advance);
    if (step.done) return step.value;
  }
}
