import type { Page } from "@playwright/test";

/** Opens a page and holds its scripts back until the returned function is called. */
export async function openEarly(page: Page, url: string): Promise<() => void> {
  let releaseScripts = () => {};
  const held = new Promise<void>((resolve) => (releaseScripts = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    await held;
    // The route stays installed: a request made while it is being removed would never be answered.
    await route.fallback();
  });
  await page.goto(url, { waitUntil: "commit" });
  return releaseScripts;
}

/** Collects the URLs that the browser requests from now on. */
export function recordRequests(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  return addresses;
}

/** Types into a field, key by key. */
export const type = (page: Page, label: string, text: string) => page.getByLabel(label).pressSequentially(text);
