/** Whether `npm run soak` runs the tests. */
export const isSoak = Boolean(process.env.SOAK);

/** Returns `full` under `npm run soak`, otherwise `normal`. */
export const soakCount = (normal: number, full: number): number => (isSoak ? full : normal);

/** Seed of the random tests: fixed by default, new under `npm run soak`, or `SEED` to repeat a run. */
export const seed = Number(process.env.SEED ?? (isSoak ? Date.now() % 2 ** 31 : 20_260_101));
