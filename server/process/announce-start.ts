import { setTimeout as sleep } from "node:timers/promises";
import type { Hub } from "../domain/hub";
import type { Env } from "../env";
import { checkReady } from "../domain/health";
import type { Demo } from "./demo";

const PAUSE_MS = 250;
/** An Inngest server learns the functions only when the hub already listens. */
const PATIENCE_MS = 2_000;

interface Start {
  /** When the process started, by `performance.now()`. */
  startedAt: number;
  demo: Demo | null;
}

/**
 * Prints the banner when the hub is ready, or after two seconds what it still waits for. Returns a function that stops
 * this.
 */
export function announceStart(hub: Hub, { startedAt, demo }: Start): () => Promise<void> {
  const controller = new AbortController();
  const print = (text: string) => process.stdout.write(text);
  const announce = async () => {
    const since = performance.now();
    for (let isReported = false; ; await sleep(PAUSE_MS, null, { signal: controller.signal })) {
      const issue = await checkReady(hub).then(
        () => null,
        (error: Error) => error.message,
      );
      if (controller.signal.aborted) return;
      if (issue === null) return void print(readyBanner(hub.env, performance.now() - startedAt, demo));
      if (isReported || performance.now() - since < PATIENCE_MS) continue;
      isReported = true;
      print(waitingBanner(hub.env, issue));
    }
  };
  const announcing = announce().catch(() => undefined);
  return async () => {
    controller.abort();
    await announcing;
  };
}

/** Returns what the terminal shows when the hub is ready. It is the only place that shows the demo account's credentials. */
function readyBanner(env: Env, startedInMs: number, demo: Demo | null): string {
  const lines = [
    "",
    `Generation Hub is ready at ${env.BASE_URL} (${(startedInMs / 1000).toFixed(1)} s)`,
    `  documentation  ${env.BASE_URL}/docs`,
    `  OpenAPI        ${env.BASE_URL}/api/v1/openapi.json`,
  ];
  if (demo) lines.push(...describeDemo(env.BASE_URL, demo));
  if (demo && env.SANDBOX === "on") lines.push(...describeFirstPicture(env.BASE_URL, demo));
  return `${lines.join("\n")}\n\n`;
}

/** Returns what the terminal shows of a hub that serves, but is not ready. */
const waitingBanner = ({ BASE_URL }: Env, issue: string): string =>
  `\nGeneration Hub runs at ${BASE_URL}, but is not ready: ${issue}\n  It says so here when it is, and ${BASE_URL}/api/v1/ready says why not.\n`;

const describeDemo = (baseUrl: string, { email, password, key }: Demo) => [
  "",
  "A demo account with 25 EUR was created. This is shown once:",
  `  sign-in        ${baseUrl}/sign-in`,
  `  e-mail         ${email}`,
  `  password       ${password}`,
  `  API key        ${key}`,
];

const describeFirstPicture = (baseUrl: string, { key }: Demo) => [
  "",
  "Create a first picture:",
  `  curl ${baseUrl}/api/v1/hub/generations \\`,
  `    -H "Authorization: Bearer ${key}" \\`,
  `    -H "Content-Type: application/json" \\`,
  `    -d '{"model": "sandbox-image", "input": {"prompt": "a lighthouse at dawn"}}'`,
  "",
  "Then watch it, and open the url of its output with the same key:",
  `  curl ${baseUrl}/api/v1/hub/generations -H "Authorization: Bearer ${key}"`,
];
