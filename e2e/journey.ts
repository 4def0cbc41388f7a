import { test as base, expect } from "@playwright/test";

interface Journey {
  hub: { url: string; key: string };
  /** What the browser complained of; a journey ends with none. */
  complaints: string[];
}

export { expect };

/** A test against the running hub, in which an error on the console or a failed request is a failure. */
export const test = base.extend<Journey>({
  hub: async ({}, use) => use({ url: process.env.E2E_URL!, key: process.env.E2E_KEY! }),
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("requestfailed", (request) => {
        // Next drops what it was fetching ahead when the page is left.
        if (request.url().includes("_rsc=")) return;
        complaints.push(`${request.url()}: ${request.failure()?.errorText}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});
