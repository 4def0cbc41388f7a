import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";

const installed = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Returns the path of the test browser: CHROMIUM_PATH, else the system's Chromium, else the one of an npm package. */
export async function findBrowser(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const file of installed) if (await exists(file)) return file;
  return unpack();
}

// Unpacked into the clone: in the system's temporary folder it would belong to whichever user came first.
const unpacked = path.resolve(import.meta.dirname, "..", "node_modules", ".cache", "chromium");

async function unpack(): Promise<string> {
  const file = path.join(unpacked, "chromium");
  if (await exists(file)) return file;
  await mkdir(path.dirname(unpacked), { recursive: true });
  const draft = await mkdtemp(`${unpacked}-`);
  const { default: chromium } = await import("@sparticuz/chromium");
  const { TMPDIR } = process.env;
  process.env.TMPDIR = draft;
  await chromium.executablePath();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  // Renamed atomically; of two concurrent runs, the first one wins.
  await rename(draft, unpacked).catch(() => rm(draft, { recursive: true }));
  return file;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
