import { z } from "zod";

/** An Inngest server that runs the jobs in place of the embedded engine. */
export interface InngestServer {
  kind: "dev" | "self-hosted" | "cloud";
  /** Origin of its API, without a trailing slash. */
  url: string;
}

interface Settings {
  INNGEST_DEV?: string;
  INNGEST_BASE_URL?: string;
  INNGEST_EVENT_KEY?: string;
  INNGEST_SIGNING_KEY?: string;
  INNGEST_SIGNING_KEY_FALLBACK?: string;
}

const DEV_SERVER = "http://localhost:8288";
const CLOUD = "https://api.inngest.com";
const KEYS = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const;
const WITHOUT_DEV = ["INNGEST_BASE_URL", ...KEYS, "INNGEST_SIGNING_KEY_FALLBACK"] as const;

// The SDK would silently drop a path, and `fetch` refuses addresses with credentials.
const isOrigin = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !["http:", "https:"].includes(url.protocol)) return false;
  return `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` === "/";
};
// Returns whether a value turns the server off: operators write this as often as they leave the value empty.
const isOff = (value: string): boolean => /^(0|false|off)$/i.test(value);
const signingKey = z
  .string()
  .regex(
    /^(signkey-\w+-)?([0-9a-f]{2})+$/i,
    "must be hex with an even number of digits, as `openssl rand -hex 32` makes it, with or without signkey-…- in front",
  )
  .optional();

/** The settings of the engine, each checked on its own. */
export const inngestSettings = {
  dev: z
    .string()
    .transform((value) => (isOff(value) ? undefined : value))
    .refine(
      (value) => value === undefined || value === "1" || isOrigin(value),
      `must be 1 or the URL of a dev server, such as ${DEV_SERVER}`,
    )
    .optional(),
  baseUrl: z.string().refine(isOrigin, "must be an http(s) URL without a path").optional(),
  // It becomes a part of the address to which events are sent.
  eventKey: z
    .string()
    .regex(/^[^\s/?#%]+$/, "must not contain spaces, slashes, ?, # or %")
    .optional(),
  signingKey,
};

/** Returns the server that the settings name; false when they name none, which leaves the jobs to the embedded engine. */
export function chooseInngestServer({ INNGEST_DEV: dev, ...settings }: Settings): InngestServer | false {
  const { INNGEST_BASE_URL: base } = settings;
  if (dev) return { kind: "dev", url: originOf(base ?? (dev === "1" ? DEV_SERVER : dev)) };
  if (base) return { kind: "self-hosted", url: originOf(base) };
  return settings.INNGEST_EVENT_KEY ? { kind: "cloud", url: CLOUD } : false;
}

/** Returns one sentence for each setting, as it was given, that lacks another or contradicts it. */
export function findInngestConflicts({ INNGEST_DEV: dev, ...settings }: Settings): string[] {
  const { INNGEST_BASE_URL: base } = settings;
  if (!dev || isOff(dev)) {
    const found = WITHOUT_DEV.find((name) => settings[name]);
    const missing = KEYS.filter((name) => !settings[name]);
    return found && missing.length > 0 ? [`${missing.join(", ")}: is required with ${found}`] : [];
  }
  const differs = base && isOrigin(base) && isOrigin(dev) && originOf(base) !== originOf(dev);
  return differs ? ["INNGEST_DEV: names another server than INNGEST_BASE_URL; set only one of them"] : [];
}

const originOf = (value: string): string => new URL(value).origin;
