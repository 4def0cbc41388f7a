import { test as base, expect } from "@playwright/test";
import type { Hub } from "../server/context";
import { runCli } from "./server";

interface RunningHub {
  url: string;
  key: string;
  /** The sign-in of the demo account, which has credit. */
  demo: { email: string; password: string };
  /** An address that takes webhooks; below it `/away` refuses them, and `/ill` fails until `/ill/cure` is asked for. */
  receiver: string;
  /** Runs an operator's command. */
  operate: (...values: string[]) => Promise<void>;
  /** As much of the running process's own hub as signing takes. */
  own: Hub;
}

interface Journey {
  hub: RunningHub;
  /** What the browser complained of; a journey ends with none. */
  complaints: string[];
}

export { expect };

/** A test against the running hub, in which an error on the console or a failed request is a failure. */
export const test = base.extend<Journey>({
  hub: async ({}, use) => {
    const { E2E_URL: url = "", E2E_KEY: key = "", E2E_SECRET: secret } = process.env;
    const demo = { email: process.env.E2E_EMAIL ?? "", password: process.env.E2E_PASSWORD ?? "" };
    const receiver = process.env.E2E_RECEIVER ?? "";
    const operate = async (...values: string[]) =>
      expect(await runCli(values, { HUB_DATA_DIR: process.env.E2E_DATA_DIR ?? "" })).toMatchObject({ code: 0 });
    await use({ url, key, demo, receiver, operate, own: { secret, env: { BASE_URL: url } } as Hub });
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText;
        // The browser itself drops what it was still fetching when a page is left.
        if (reason !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${reason}`);
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
