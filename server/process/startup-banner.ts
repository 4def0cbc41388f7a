import type { Env } from "../env";
import type { Demo } from "./demo";

/** Returns the banner of a hub that is ready, the only place that shows the demo account's credentials. */
export function readyBanner(env: Env, startedInMs: number, demo: Demo | null): string {
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

/** Returns the banner of a hub that serves but is not ready. */
export const waitingBanner = ({ BASE_URL }: Env, issue: string): string =>
  `\nGeneration Hub runs at ${BASE_URL}, but is not ready: ${issue}\n  It says so here when it is, and ${BASE_URL}/api/v1/ready says why not.\n`;

const describeDemo = (baseUrl: string, { email, password, key }: Demo) => [
  "",
  "A demo account with 25 EUR was made. This is shown once:",
  `  sign-in        ${baseUrl}/sign-in`,
  `  e-mail         ${email}`,
  `  password       ${password}`,
  `  API key        ${key}`,
];

const describeFirstPicture = (baseUrl: string, { key }: Demo) => [
  "",
  "Draw a first picture:",
  `  curl ${baseUrl}/api/v1/hub/generations \\`,
  `    -H "Authorization: Bearer ${key}" \\`,
  `    -H "Content-Type: application/json" \\`,
  `    -d '{"model": "sandbox-image", "input": {"prompt": "a lighthouse at dawn"}}'`,
  "",
  "Then watch it, and open the url of its output with the same key:",
  `  curl ${baseUrl}/api/v1/hub/generations -H "Authorization: Bearer ${key}"`,
];
