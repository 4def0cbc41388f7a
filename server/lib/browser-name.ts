// The order counts: Edge and Opera also name Chrome, and Chrome also names Safari.
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|HeadlessChrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
];

// iPhones name Mac OS X too, and Android names Linux.
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const MAX_READ_LENGTH = 500;

/** Returns words for people for a `User-Agent`, such as "Firefox on Linux"; "Unknown browser" when it names none. */
export function browserName(userAgent: string | null): string {
  const agent = (userAgent ?? "").slice(0, MAX_READ_LENGTH);
  const findName = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser = "Unknown browser", system] = [findName(browsers), findName(systems)];
  return system ? `${browser} on ${system}` : browser;
}
