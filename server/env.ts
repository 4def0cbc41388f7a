import ipaddr from "ipaddr.js";
import { z } from "zod";
import "./lib/issues";
import { parseDecimal } from "./lib/money";
import { readSecretFile } from "./lib/read-secret-file";
import { findRedirectIssues } from "./lib/bucket-origin";
import { hasProviderPrefix, pickVariables, type Variables } from "./catalogue-variables";
import { chooseInngestServer, findInngestConflicts, type InngestServer, inngestSettings } from "./inngest-settings";

const count = (fallback: number, min = 1, max = 1_000_000_000) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
/** The most days for which something is kept; absent to keep it for ever. */
const days = z.coerce.number().int().min(1).max(36_500).optional();
const text = z.string().min(1).optional();
const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );
const MAX_PORT = 65_535;
const GIBIBYTE = 1024 ** 3;
const MAX_UPLOAD = 50 * 1024 ** 2;
const secret = z.string().min(32, "must have at least 32 characters").optional();
const areNames = (all: string[]) => all.every((one) => /^[A-Za-z_]\w*$/.test(one));
const areNetworks = (all: string[]) => all.every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one));
const decimal = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,9})?$/, "must be a positive decimal with at most nine places");

const areEmails = (all: string[]) => all.every((one) => z.email().safeParse(one).success);
/** A week. */
const MAX_QUEUED_MINUTES = 10_080;

const MAX_SIGN_UP_CREDIT = 1_000;
const signUpCredit = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,9})?$/, "must be an amount in EUR such as 2.50, 0 or more")
  .default("0")
  .refine((amount) => Number(amount) <= MAX_SIGN_UP_CREDIT, `must be at most ${MAX_SIGN_UP_CREDIT} EUR`)
  .transform(parseDecimal);

/** Seconds to wait after a webhook's first failed attempt, its second, and so on (specification, section 6). */
const RETRY_DELAYS = "30,120,600,3600,21600,86400,259200";
const MAX_DELAY_S = 259_200;
const delays = z
  .string()
  .default(RETRY_DELAYS)
  .transform((value) => value.split(",").map((part) => (part.trim() === "" ? NaN : Number(part))))
  .refine((list) => list.length <= RETRY_DELAYS.split(",").length, "may have at most seven delays")
  .refine(
    (list) => list.every((delay) => Number.isInteger(delay) && delay >= 1 && delay <= MAX_DELAY_S),
    `must be whole seconds from 1 to ${MAX_DELAY_S}, separated by commas`,
  );

/** How much customers see of attempts at providers: everything, what was tried and when, or nothing. */
const exposures = ["full", "times", "off"] as const;
export type Exposure = (typeof exposures)[number];

/** All settings with their defaults. `.env.example` describes each for operators. */
const Settings = z.object({
  PORT: count(3000, 0, MAX_PORT),
  HUB_PROCESSES: count(1, 1, 16),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: count(10, 3, 500),
  HUB_DATA_DIR: z.string().min(1).default(".data"),
  HUB_SECRET: secret,
  HUB_SECRET_PREVIOUS: secret,
  HUB_CATALOGUE: z.string().min(1).optional(),
  CATALOGUE_VARIABLES: list.refine(areNames, "must be names of environment variables, separated by commas"),
  EUR_PER_USD: decimal.default("0.92"),
  INNGEST_DEV: inngestSettings.dev,
  INNGEST_BASE_URL: inngestSettings.baseUrl,
  INNGEST_EVENT_KEY: inngestSettings.eventKey,
  INNGEST_SIGNING_KEY: inngestSettings.signingKey,
  INNGEST_SIGNING_KEY_FALLBACK: inngestSettings.signingKey,
  INNGEST_DASHBOARD_URL: z.url({ protocol: /^https?$/, error: "must be an http(s) URL" }).optional(),
  OUTBOUND_ALLOW_HOSTS: list,
  TRUSTED_PROXIES: list.refine(areNetworks, "must be IP addresses or CIDR ranges, separated by commas"),
  RATE_LIMIT_WRITES_PER_MINUTE: count(600),
  RATE_LIMIT_READS_PER_MINUTE: count(3_000),
  RATE_LIMIT_KEYS_PER_MINUTE: count(60),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: count(60),
  MAX_WAIT_MS: count(100, 10, 60_000),
  RUNNING_PER_ACCOUNT: count(20),
  STREAMS_PER_ACCOUNT: count(200, 1, 10_000),
  OUTPUT_TTL_DAYS: count(30, 1, 36_500),
  MARK_OUTPUTS: z.enum(["on", "off"]).default("on"),
  RETENTION_INPUT_DAYS: days,
  RETENTION_WORD_DAYS: days,
  RETENTION_LABEL_DAYS: days,
  RETENTION_REPLY_DAYS: count(30, 1, 30),
  RETENTION_REQUEST_LOG_DAYS: count(7, 1, 365),
  SUPPLY_TTL_HOURS: z.coerce.number().positive().max(8_760).default(24),
  UPLOAD_TTL_HOURS: count(24, 1, 876_000),
  OPENAI_WAIT_SECONDS: count(300, 1, 300),
  CHAT_LIMIT_FLOOR: count(4_096, 1, 1_000_000),
  UPLOAD_MAX_BYTES: count(MAX_UPLOAD, 1, MAX_UPLOAD),
  UPLOAD_QUOTA_BYTES: count(10 * GIBIBYTE, 1, Number.MAX_SAFE_INTEGER),
  STORAGE_S3_BUCKET: z.string().min(1).optional(),
  STORAGE_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  STORAGE_S3_REGION: z.string().min(1).default("us-east-1"),
  STORAGE_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  STORAGE_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  STORAGE_S3_FORCE_PATH_STYLE: z.enum(["on", "off"]).default("off"),
  STORAGE_S3_PREFIX: z
    .string()
    .regex(/^[\w./-]*$/, "may have letters, digits and _ . / -")
    .default(""),
  TOMBSTONES_PATH: z.string().min(1).optional(),
  FILES_REDIRECT: z.enum(["on", "off"]).default("off"),
  SHARE_LINKS: z.enum(["on", "off"]).default("on"),
  WEBHOOK_RETRY_DELAYS_SECONDS: delays,
  SANDBOX: z.enum(["on", "off"]).optional(),
  SANDBOX_WORKER: z.enum(["on", "off"]).optional(),
  SIGN_UP: z.enum(["open", "closed"]).optional(),
  /** In nano-euros. */
  SIGN_UP_CREDIT: signUpCredit,
  EXPOSE_ATTEMPTS: z.enum(exposures).optional(),
  SECOND_FACTOR: z.enum(["optional", "required"]).default("optional"),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_FROM: z.string().min(3).optional(),
  ALERT_EMAILS: list.refine(areEmails, "must be e-mail addresses, separated by commas"),
  ALERT_SLACK_URL: z.url({ protocol: /^https$/, error: "must be an https URL" }).optional(),
  ALERT_QUEUED_MINUTES: count(15, 1, MAX_QUEUED_MINUTES),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).default("https://api.stripe.com"),
  STRIPE_TAX: z.enum(["on", "off"]).default("off"),
  SELLER_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be a country code of two capital letters, such as DE")
    .optional(),
  PRICES_WITH_VAT: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,2})?$/, "must be a percentage below 100 with at most two decimal places, such as 19")
    .refine((percent) => Number(percent) > 0, "must be above 0; leave it empty for prices without VAT")
    .optional(),
  AUTH_GITHUB_ID: text,
  AUTH_GITHUB_SECRET: text,
  AUTH_GOOGLE_ID: text,
  AUTH_GOOGLE_SECRET: text,
  AUTH_OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  AUTH_OIDC_ID: text,
  AUTH_OIDC_SECRET: text,
  AUTH_OIDC_NAME: z.string().min(1).default("Single sign-on"),
  METRICS_PORT: z.coerce.number().int().min(1).max(MAX_PORT).optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an http(s) URL" }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default("generation-hub"),
  LOG_REQUESTS: z.enum(["on", "off"]).default("off"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export type Settings = z.infer<typeof Settings>;

/** The settings, with defaults that depend on other settings. */
export type Env = Omit<Settings, "BASE_URL" | "SIGN_UP" | "SANDBOX" | "SANDBOX_WORKER"> & {
  /** Public address without a trailing slash. */
  BASE_URL: string;
  /** Whether everybody may create an account. */
  SIGN_UP: "open" | "closed";
  /** Whether the hub runs its own Postgres. */
  embedded: boolean;
  /** Whether the sandbox models are offered. */
  SANDBOX: "on" | "off";
  SANDBOX_WORKER: "on" | "off";
  /** The Inngest server that runs the jobs; false if the embedded engine does. */
  inngest: InngestServer | false;
};

/** Settings that are valid only together. */
const dependentSettings = [
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  ["STORAGE_S3_ACCESS_KEY_ID", "STORAGE_S3_SECRET_ACCESS_KEY"],
  ["AUTH_GITHUB_ID", "AUTH_GITHUB_SECRET"],
  ["AUTH_GOOGLE_ID", "AUTH_GOOGLE_SECRET"],
  ["AUTH_OIDC_ISSUER", "AUTH_OIDC_ID", "AUTH_OIDC_SECRET"],
];

/** Lists all issues of the environment, one per line, so that an operator can fix them at once. */
export class EnvError extends Error {
  override name = "EnvError";
}

/**
 * Returns the settings of an environment. An empty value counts as absent, and each setting can be in a file that
 * `NAME_FILE` names. Throws EnvError if one is invalid.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const { present, issues } = readFiles(source);
  const parsed = Settings.safeParse(present);
  if (!parsed.success) issues.push(...parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`));
  issues.push(...findMissing(present), ...findInngestConflicts(present), ...findRedirectIssues(present));
  if (!parsed.success || issues.length > 0) throw new EnvError(issues.join("\n"));
  const settings = parsed.data;
  return {
    ...settings,
    BASE_URL: (settings.BASE_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ""),
    SIGN_UP: settings.SIGN_UP ?? (settings.DATABASE_URL ? "closed" : "open"),
    embedded: !settings.DATABASE_URL,
    ...chooseSandbox(settings),
    inngest: chooseInngestServer(settings),
  };
}

/** Returns the values that are set, directly or by a file, and an issue for each file that cannot be used. */
function readFiles(source: Record<string, string | undefined>) {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const issues: string[] = [];
  for (const name of Object.keys(Settings.shape)) {
    const file = present[`${name}_FILE`];
    if (file === undefined) continue;
    if (present[name] !== undefined) issues.push(`${name}_FILE: is set beside ${name}; set only one of them`);
    try {
      present[name] ??= readSecretFile(file);
    } catch (error) {
      issues.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return { present, issues };
}

/** Returns the sandbox's settings: on by default with the embedded database, and no worker without its models. */
function chooseSandbox({ DATABASE_URL, SANDBOX, SANDBOX_WORKER }: Settings): Pick<Env, "SANDBOX" | "SANDBOX_WORKER"> {
  const byDefault = DATABASE_URL ? "off" : "on";
  const sandbox = SANDBOX ?? byDefault;
  return { SANDBOX: sandbox, SANDBOX_WORKER: sandbox === "on" ? (SANDBOX_WORKER ?? byDefault) : "off" };
}

/** Returns an issue for each setting that another one requires or excludes. */
function findMissing(present: Record<string, string | undefined>): string[] {
  const issues = dependentSettings.flatMap((names) => {
    const found = names.find((name) => present[name]);
    const missing = names.filter((name) => !present[name]);
    return found && missing.length > 0 ? [`${missing.join(", ")}: is required with ${found}`] : [];
  });
  if (present.HUB_SECRET_PREVIOUS && !present.HUB_SECRET)
    return [...issues, "HUB_SECRET: is required with HUB_SECRET_PREVIOUS"];
  const own = list.parse(present.CATALOGUE_VARIABLES).filter(isSetting);
  if (own.length > 0) issues.push(`CATALOGUE_VARIABLES: may not list settings of the hub: ${own.join(", ")}`);
  if (list.parse(present.ALERT_EMAILS).length > 0 && !present.SMTP_URL)
    issues.push("SMTP_URL: is required with ALERT_EMAILS");
  issues.push(...findVatIssues(present));
  // A scrape of the shared port would reach an arbitrary process.
  if (Number(present.HUB_PROCESSES) > 1 && present.METRICS_TOKEN)
    issues.push("METRICS_TOKEN: shows one process; set METRICS_PORT beside HUB_PROCESSES");
  const lastPort = Number(present.METRICS_PORT) + Number(present.HUB_PROCESSES) - 1;
  if (lastPort > MAX_PORT)
    issues.push(`METRICS_PORT: each of the HUB_PROCESSES has the next port, of which the last would be ${lastPort}`);
  if (!present.DATABASE_URL || present.HUB_SECRET) return issues;
  return [...issues, "HUB_SECRET: is required with DATABASE_URL (for example the output of `openssl rand -hex 32`)"];
}

/** Returns an issue for prices with a VAT that payments would not have. */
const findVatIssues = (present: Record<string, string | undefined>): string[] =>
  present.PRICES_WITH_VAT && present.STRIPE_SECRET_KEY && present.STRIPE_TAX !== "on"
    ? ["PRICES_WITH_VAT: needs STRIPE_TAX=on, without which payments by Stripe have no VAT"]
    : [];

/** Returns whether a variable is a setting of the hub, or names the file of one. */
export const isSetting = (name: string): boolean => Object.hasOwn(Settings.shape, name.replace(/_FILE$/, ""));

/** Returns whether a catalogue may use a variable that CATALOGUE_VARIABLES does not list: a provider's, but no setting. */
export const isProviderVariable = (name: string): boolean => hasProviderPrefix(name) && !isSetting(name);

/**
 * Returns the variables that a catalogue may use as `${NAME}`, unchecked: those of providers that are set, and all of
 * CATALOGUE_VARIABLES, but no setting of the hub. If a variable is not set, it is read from the file that `NAME_FILE` names,
 * when the catalogue uses it.
 */
export function readVariables(source: Record<string, string | undefined> = process.env): Variables {
  const listed = list.parse(readFiles(source).present.CATALOGUE_VARIABLES);
  const provided = Object.keys(source).map((name) => name.replace(/_FILE$/, ""));
  return pickVariables(source, [...listed.filter((name) => !isSetting(name)), ...provided.filter(isProviderVariable)]);
}

/** Returns the variables that a catalogue may use, without values, for a catalogue that other hubs apply with their own. */
export const readVariableNames = (): Variables =>
  Object.fromEntries(Object.keys(readVariables()).map((name) => [name, undefined]));
