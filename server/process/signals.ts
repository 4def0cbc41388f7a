// The terminal sends Ctrl-C to npm and to us, and npm hands its own on: within a second it is one wish.
const DUPLICATE_MS = 1_000;

/** Calls `stop` on the first signal to end, and `hurry` on one that comes later. */
export function onSignals(onFirstSignal: () => void, onSecondSignal: () => void): void {
  let first = 0;
  const onSignal = () => {
    if (first === 0) {
      first = performance.now();
      onFirstSignal();
    } else if (performance.now() - first > DUPLICATE_MS) onSecondSignal();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}
