import { access } from "node:fs/promises";

const installed = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser of the tests: CHROMIUM_PATH, else the system's own Chromium, else the one inside an npm package. */
export async function findBrowser(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const file of installed) if (await exists(file)) return file;
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
