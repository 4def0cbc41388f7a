import { test as base, expect } from "@playwright/test";
import type { Hub } from "../server/domain/hub";
import { runCli } from "./server";

interface RunningHub {
  url: string;
  key: string;
  /** The credentials of the demo account, which has credit. */
  demo: { email: string; password: string };
  dataDir: string;
  /** A webhook receiver; its `/away` rejects deliveries, and `/ill` fails until `/ill/cure` is requested. */
  receiver: string;
  /** Runs a command of the hub's CLI. */
  runCommand: (...values: string[]) => Promise<void>;
  /** The parts of the running hub that signing needs. */
  own: Hub;
}

interface Journey {
  hub: RunningHub;
  /** Errors and warnings of the browser; a test must end with none. */
  consoleErrors: string[];
}

export { expect };

/** A test against the running hub that fails on console errors and failed requests. */
export const test = base.extend<Journey>({
  hub: async ({}, use) => {
    const { E2E_URL: url = "", E2E_KEY: key = "", E2E_SECRET: secret } = process.env;
    const demo = { email: process.env.E2E_EMAIL ?? "", password: process.env.E2E_PASSWORD ?? "" };
    const receiver = process.env.E2E_RECEIVER ?? "";
    const dataDir = process.env.E2E_DATA_DIR ?? "";
    const runCommand = async (...values: string[]) =>
      expect(await runCli(values, { HUB_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    await use({ url, key, demo, dataDir, receiver, runCommand, own: { secret, env: { BASE_URL: url } } as Hub });
  },
  consoleErrors: [
    async ({ page }, use) => {
      const consoleErrors: string[] = [];
      page.on("console", (message) => {
        if (message.type() !== "error" && message.type() !== "warning") return;
        // The browser measures the time to the first use, which says nothing on a busy machine.
        if (/was preloaded using link preload but not used within a few seconds/.test(message.text())) return;
        consoleErrors.push(message.text());
      });
      page.on("pageerror", (error) => consoleErrors.push(error.message));
      page.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText;
        // The browser aborts pending requests when a page is left.
        if (reason !== "net::ERR_ABORTED") consoleErrors.push(`${request.url()}: ${reason}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400) consoleErrors.push(`${response.status()} ${response.url()}`);
      });
      await use(consoleErrors);
      expect(consoleErrors).toEqual([]);
    },
    { auto: true },
  ],
});
