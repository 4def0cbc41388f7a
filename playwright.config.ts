import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/browser";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  testIgnore: process.env.SOAK ? [] : "*.soak.spec.ts",
  globalSetup: "./e2e/setup.ts",
  workers: 2,
  timeout: 120_000,
  // A busy machine takes longer than the five seconds that are the default; what never comes still fails.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/playwright.json" }]],
  use: {
    headless: true,
    // Tests open nothing but our own pages, and Chromium has no sandbox for root.
    launchOptions: { executablePath: await findBrowser(), args: ["--no-sandbox"] },
    screenshot: "only-on-failure",
  },
});
