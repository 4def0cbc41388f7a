import type { Page } from "@playwright/test";

const MAX_WAIT_MS = 5_000;

/** Waits until a page loads nothing more, for a while only: the stream of a page that is live never ends. */
export const waitUntilIdle = (page: Page): Promise<void> =>
  page.waitForLoadState("networkidle", { timeout: MAX_WAIT_MS }).catch(() => undefined);
