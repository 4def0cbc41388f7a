/** What upgrade.test.ts has to know of a database of an older commit, beside its rows and files. */
export interface Fixture {
  /** When the old hub was killed. */
  capturedAt: string;
  /** The migrations that the old hub had applied. */
  migrations: string[];
  key: string;
  person: { email: string; password: string };
  /** The value of the session cookie. */
  cookie: string;
  signedLink: string;
  /** The address of the succeeded generation's output. */
  output: string;
  generations: Record<"succeeded" | "failed" | "broken" | "stranded" | "supplied" | "running" | "queued", string>;
  characters: Record<"ready" | "training", number>;
  webhookSecret: string;
}

/** The address in the fixture's database at which no webhook receiver listened. */
export const PLACEHOLDER_RECEIVER = "localhost:4443";

/** The settings of the old hub, with which its successor must go on. */
export const fixtureSettings = {
  BASE_URL: "http://localhost:3000",
  HUB_SECRET: "a secret of at least thirty-two characters",
  SANDBOX: "on",
  SANDBOX_WORKER: "on",
  RUNNING_PER_ACCOUNT: "3",
  OUTPUT_TTL_DAYS: "36500",
  SUPPLY_TTL_HOURS: "8760",
  OUTBOUND_ALLOW_HOSTS: PLACEHOLDER_RECEIVER,
};

/** The picture that a generation of the fixture names by its hash, and that was not uploaded yet: one pixel as PNG. */
export const suppliedPicture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
