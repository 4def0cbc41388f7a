import type { Page } from "@playwright/test";

const MAX_WAIT_MS = 5_000;

/** Waits until a page loads nothing more, but only for a limited time: the stream of a live page never ends. */
export const waitUntilIdle = (page: Page): Promise<void> =>
  page.waitForLoadState("networkidle", { timeout: MAX_WAIT_MS }).catch(() => undefined);
