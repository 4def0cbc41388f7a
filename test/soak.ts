/** Returns the count of a test: small by default, the full one under `npm run soak`. */
export const times = (usual: number, full: number): number => (process.env.SOAK ? full : usual);

/** Seed of the random tests: fixed by default, fresh under `npm run soak`, and given by `SEED` to repeat a run. */
export const seed = Number(process.env.SEED ?? (process.env.SOAK ? Date.now() % 2 ** 31 : 20_260_101));
