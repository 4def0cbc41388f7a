import type { Page } from "@playwright/test";

/** Returns a function that returns how far the layout has shifted (Cumulative Layout Shift). */
export async function observeShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const scope = window as unknown as { shift: number };
    scope.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) scope.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shift: number }).shift);
}
