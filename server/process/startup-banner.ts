import type { Hub } from "../context";
import type { Demo } from "./demo";

/** What a started hub tells the person in front of the terminal. The demo account's credentials are shown this once. */
export function startupBanner({ env }: Hub, startedInMs: number, made: Demo | null): string {
  const lines = [
    "",
    `Generation Hub is ready at ${env.BASE_URL} (${(startedInMs / 1000).toFixed(1)} s)`,
    `  documentation  ${env.BASE_URL}/docs`,
    `  OpenAPI        ${env.BASE_URL}/api/v1/openapi.json`,
  ];
  if (made) lines.push(...demo(env.BASE_URL, made));
  if (made && env.SANDBOX === "on") lines.push(...firstPicture(env.BASE_URL, made));
  return `${lines.join("\n")}\n\n`;
}

const demo = (baseUrl: string, { email, password, key }: Demo) => [
  "",
  "A demo account with 25 EUR was made. This is shown once:",
  `  sign-in        ${baseUrl}/sign-in`,
  `  e-mail         ${email}`,
  `  password       ${password}`,
  `  API key        ${key}`,
];

const firstPicture = (baseUrl: string, { key }: Demo) => [
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
