import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { EnvError, readEnv, readVariables } from "./env";

const SIGNING = "00112233445566778899aabbccddeeff";
const keys = { INNGEST_EVENT_KEY: "event-key", INNGEST_SIGNING_KEY: SIGNING };
const dev = (url = "http://localhost:8288") => ({ kind: "dev", url });
const BAD_DEV = "INNGEST_DEV: must be 1 or the URL of a dev server, such as http://localhost:8288";
const BAD_BASE = "INNGEST_BASE_URL: must be an http(s) URL without a path";
const badSigning = (name: string) =>
  `${name}: must be hex with an even number of digits, as \`openssl rand -hex 32\` makes it, with or without signkey-…- in front`;
const BAD_EVENT = "INNGEST_EVENT_KEY: must not contain spaces, slashes, ?, # or %";
const CONTRADICTION = "INNGEST_DEV: names another server than INNGEST_BASE_URL; set only one of them";
const missing = (variables: string, ...names: string[]) => `${names.join(", ")}: is required with ${variables}`;

function outcome(settings: Record<string, string>): unknown {
  try {
    return readEnv(settings).inngest;
  } catch (error) {
    if (error instanceof EnvError) return error.message;
    throw error;
  }
}

describe("each combination of Inngest settings selects one engine or is rejected in one sentence", () => {
  test.each<[Record<string, string>, unknown]>([
    [{}, false],
    ...["", "0", "false", "off", "OFF"].map((value): [Record<string, string>, unknown] => [
      { INNGEST_DEV: value },
      false,
    ]),
    [{ INNGEST_BASE_URL: "", INNGEST_EVENT_KEY: "", INNGEST_SIGNING_KEY: "" }, false],
    [{ INNGEST_DASHBOARD_URL: "https://inngest.example/runs/{run}" }, false],
    [{ INNGEST_DEV: "1" }, dev()],
    [{ INNGEST_DEV: "http://inngest:8288" }, dev("http://inngest:8288")],
    [{ INNGEST_DEV: "https://inngest.example/" }, dev("https://inngest.example")],
    [{ INNGEST_DEV: "1", INNGEST_BASE_URL: "http://inngest:1234/" }, dev("http://inngest:1234")],
    [{ INNGEST_DEV: "http://inngest:80", INNGEST_BASE_URL: "http://inngest/" }, dev("http://inngest")],
    [{ INNGEST_DEV: "1", INNGEST_EVENT_KEY: "event-key" }, dev()],
    [{ INNGEST_DEV: "true" }, BAD_DEV],
    [{ INNGEST_DEV: "yes" }, BAD_DEV],
    [{ INNGEST_DEV: "2" }, BAD_DEV],
    [{ INNGEST_DEV: "localhost:8288" }, BAD_DEV],
    [{ INNGEST_DEV: "ws://localhost:8288" }, BAD_DEV],
    [{ INNGEST_DEV: "http://localhost:8288/inngest" }, BAD_DEV],
    [{ INNGEST_DEV: "http://user:password@localhost:8288" }, BAD_DEV],
    [{ INNGEST_DEV: "http://one:8288", INNGEST_BASE_URL: "http://two:8288" }, CONTRADICTION],
    [
      { INNGEST_BASE_URL: "http://inngest:8288/", ...keys },
      { kind: "self-hosted", url: "http://inngest:8288" },
    ],
    [
      { INNGEST_DEV: "off", INNGEST_BASE_URL: "http://inngest:8288", ...keys },
      { kind: "self-hosted", url: "http://inngest:8288" },
    ],
    [keys, { kind: "cloud", url: "https://api.inngest.com" }],
    [
      { ...keys, INNGEST_SIGNING_KEY: `signkey-prod-${SIGNING}` },
      { kind: "cloud", url: "https://api.inngest.com" },
    ],
    [
      { ...keys, INNGEST_SIGNING_KEY_FALLBACK: "ffee" },
      { kind: "cloud", url: "https://api.inngest.com" },
    ],
    [
      { INNGEST_BASE_URL: "http://inngest:8288" },
      missing("INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"),
    ],
    [
      { INNGEST_DEV: "0", INNGEST_BASE_URL: "http://inngest:8288" },
      missing("INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"),
    ],
    [
      { INNGEST_BASE_URL: "http://inngest:8288", INNGEST_EVENT_KEY: "event-key" },
      missing("INNGEST_BASE_URL", "INNGEST_SIGNING_KEY"),
    ],
    [{ INNGEST_EVENT_KEY: "event-key" }, missing("INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY")],
    [{ INNGEST_SIGNING_KEY: SIGNING }, missing("INNGEST_SIGNING_KEY", "INNGEST_EVENT_KEY")],
    [
      { INNGEST_SIGNING_KEY_FALLBACK: SIGNING },
      missing("INNGEST_SIGNING_KEY_FALLBACK", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"),
    ],
    [{ INNGEST_BASE_URL: "inngest:8288", ...keys }, BAD_BASE],
    [{ INNGEST_BASE_URL: "ftp://inngest", ...keys }, BAD_BASE],
    [{ INNGEST_BASE_URL: "http://inngest:8288/api", ...keys }, BAD_BASE],
    [{ ...keys, INNGEST_SIGNING_KEY: "abc" }, badSigning("INNGEST_SIGNING_KEY")],
    [{ ...keys, INNGEST_SIGNING_KEY: "not hex!" }, badSigning("INNGEST_SIGNING_KEY")],
    [{ ...keys, INNGEST_SIGNING_KEY: "signkey-prod-" }, badSigning("INNGEST_SIGNING_KEY")],
    [{ ...keys, INNGEST_SIGNING_KEY_FALLBACK: "xyz" }, badSigning("INNGEST_SIGNING_KEY_FALLBACK")],
    [{ ...keys, INNGEST_EVENT_KEY: "event/key" }, BAD_EVENT],
    [{ INNGEST_DASHBOARD_URL: "inngest.example" }, "INNGEST_DASHBOARD_URL: must be an http(s) URL"],
  ])("%j", (settings, expected) => {
    expect(outcome(settings)).toEqual(expected);
  });
});

test("a rate of zero is rejected, because it makes every model priced in USD free", () => {
  for (const rate of ["0", "0.000"])
    expect(outcome({ EUR_PER_USD: rate })).toMatch(/^EUR_PER_USD: must be a positive decimal/);
  expect(outcome({ EUR_PER_USD: "0.000000001" })).toBe(false);
});

describe("settings in files", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-secrets-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const SECRET = "a secret of at least thirty-two characters";
  const file = path.join(folder, "secret");
  await writeFile(file, `${SECRET}\n`);
  await writeFile(path.join(folder, "large"), "x".repeat(65 * 1024));
  const issuesOf = (settings: Record<string, string>) => {
    try {
      readEnv(settings);
    } catch (error) {
      return (error as EnvError).message;
    }
    return null;
  };

  test("NAME_FILE is read without its last line break, and counts as set", () => {
    const env = readEnv({ DATABASE_URL: "postgres://hub@db/hub", HUB_SECRET_FILE: file });
    expect(env.HUB_SECRET).toBe(SECRET);
    expect(readEnv({ SMTP_URL_FILE: "" }).SMTP_URL).toBeUndefined();
  });

  test.each<[Record<string, string>, string]>([
    [{ HUB_SECRET: SECRET, HUB_SECRET_FILE: file }, "HUB_SECRET_FILE: is set beside HUB_SECRET; set only one of them"],
    [{ HUB_SECRET_FILE: "/no/such" }, "HUB_SECRET_FILE: names /no/such, which cannot be read (ENOENT)"],
    [{ HUB_SECRET_FILE: folder }, `HUB_SECRET_FILE: names ${folder}, which cannot be read (EISDIR)`],
    [
      { STRIPE_SECRET_KEY_FILE: path.join(folder, "large") },
      `STRIPE_SECRET_KEY_FILE: names ${path.join(folder, "large")}, which has more than 65536 bytes`,
    ],
    [{ PORT_FILE: file }, "PORT: must be a number"],
    [
      { HUB_PROCESSES: "2", METRICS_TOKEN: SECRET },
      "METRICS_TOKEN: shows one process; set METRICS_PORT beside HUB_PROCESSES",
    ],
    [
      { HUB_PROCESSES: "4", METRICS_PORT: "65533" },
      "METRICS_PORT: each of the HUB_PROCESSES has the next port, of which the last would be 65536",
    ],
    [{ BASE_URL: "https://hub.example/?a=1" }, "BASE_URL: must have no query and no fragment"],
    [{ BASE_URL: "https://hub.example#top" }, "BASE_URL: must have no query and no fragment"],
    [{ HUB_SECRET_PREVIOUS: SECRET }, "HUB_SECRET: is required with HUB_SECRET_PREVIOUS"],
    [
      { CATALOGUE_VARIABLES: "A KEY" },
      "CATALOGUE_VARIABLES: must be names of environment variables, separated by commas",
    ],
    [
      { CATALOGUE_VARIABLES: "OWN_KEY, HUB_SECRET,SMTP_URL_FILE" },
      "CATALOGUE_VARIABLES: may not list settings of the hub: HUB_SECRET, SMTP_URL_FILE",
    ],
  ])("%j is one sentence", (settings, sentence) => {
    expect(issuesOf(settings)).toBe(sentence);
  });

  test("a variable of a catalogue can be in a file, which is read when it is asked for", () => {
    const both = { XAI_KEY: "set", XAI_KEY_FILE: file };
    const variables = readVariables({ FAL_KEY_FILE: file, COG_KEY_FILE: "/no/such", ...both });
    expect([variables.FAL_KEY, variables.COG_KEY, variables.XAI_KEY]).toEqual([SECRET, undefined, "set"]);
    expect(Object.hasOwn(variables, "FAL_KEY")).toBe(true);
  });

  test("a catalogue reads the variables of providers and those that are listed, and no setting of the hub", () => {
    const own = { HUB_SECRET: SECRET, SMTP_URL_FILE: file, METRICS_TOKEN: SECRET, OPENAI_WAIT_SECONDS: "9" };
    const others = { AWS_SECRET_ACCESS_KEY: "s", PGPASSWORD: "s", HOME: "/root" };
    const listed = { CATALOGUE_VARIABLES: "STUDIO_TOKEN, LATER,HUB_SECRET", STUDIO_TOKEN_FILE: file };
    const variables = readVariables({ ...own, ...others, ...listed, FAL_KEY: "f" });
    expect({ ...variables }).toEqual({ STUDIO_TOKEN: SECRET, LATER: undefined, FAL_KEY: "f" });
    expect(Object.keys(variables)).toEqual(["STUDIO_TOKEN", "LATER", "FAL_KEY"]);
  });
});
