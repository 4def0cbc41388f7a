import { get } from "node:http";
import type { Page } from "@playwright/test";

const known = new Map<string, number>();

/** Returns the number of a page's scripts and their bytes as browsers load them, compressed by Brotli. */
export async function measureScripts(page: Page): Promise<{ scripts: number; bytes: number }> {
  const urls = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ initiatorType, name }) => initiatorType === "script" || /\.m?js(\?|$)/.test(name))
      .map(({ name }) => name),
  );
  const sizes = await Promise.all([...new Set(urls)].map(sizeOf));
  return { scripts: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function sizeOf(url: string): Promise<number> {
  if (!known.has(url)) {
    known.set(
      url,
      await new Promise<number>((resolve, reject) => {
        const request = get(url, { headers: { "accept-encoding": "br" } }, (response) => {
          let bytes = 0;
          response.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => resolve(bytes));
        });
        request.on("error", reject);
      }),
    );
  }
  return known.get(url)!;
}
