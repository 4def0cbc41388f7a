/** For `vi.waitFor`, because a busy machine takes longer than the second that is its default. */
export const WAIT = { timeout: 20_000, interval: 50 };
