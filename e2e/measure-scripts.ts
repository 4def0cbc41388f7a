import { get } from "node:http";
import type { Page } from "@playwright/test";

const known = new Map<string, number>();

/** Returns the count and compressed bytes of a page's scripts, and by how many ms the first one followed the paint. */
export async function measureScripts(page: Page) {
  const { painted, scripts } = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-paint")[0]!.startTime,
    scripts: (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ initiatorType, name }) => initiatorType === "script" || /\.m?js(\?|$)/.test(name))
      .map(({ name, startTime }) => ({ name, startTime })),
  }));
  let bytes = 0;
  for (const name of new Set(scripts.map(({ name }) => name))) bytes += await sizeOf(name);
  return { bytes, scripts: scripts.length, waited: Math.min(...scripts.map(({ startTime }) => startTime)) - painted };
}

/** Returns the compressed size. */
async function sizeOf(url: string): Promise<number> {
  if (!known.has(url)) {
    known.set(
      url,
      await new Promise<number>((resolve, reject) => {
        const request = get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
          let bytes = 0;
          response.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => resolve(bytes));
        });
        request.on("error", reject);
      }),
    );
  }
  return known.get(url)!;
}
