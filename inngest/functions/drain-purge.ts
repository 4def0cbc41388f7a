/** How long a sweep removes rows of one kind, so that its other steps are not late. */
const MAX_DRAIN_MS = 5_000;

/**
 * Repeats a purge of at most `limit` rows while it finds as many, for about five seconds. Returns how many rows it
 * removed. One statement of that size a minute would fall behind a busy hub; each statement stays small, so that its
 * locks are short.
 */
export async function drainPurge(
  limit: number,
  purge: (limit: number) => Promise<number>,
  clock = () => performance.now(),
): Promise<number> {
  const deadline = clock() + MAX_DRAIN_MS;
  for (let removed = 0; ;) {
    const count = await purge(limit);
    removed += count;
    if (count < limit || clock() >= deadline) return removed;
  }
}
