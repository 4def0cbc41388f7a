import type { Env } from "../env";
import { memoizePer } from "./memoize-per";

const YEAR_S = 31_536_000;

/**
 * Returns the headers of every response, whichever part sends it: no guessing of types, and only https where the hub's
 * address has it.
 */
export const commonHeaders = memoizePer((env: Pick<Env, "BASE_URL">): Record<string, string> => {
  const always = { "X-Content-Type-Options": "nosniff" };
  if (!env.BASE_URL.startsWith("https:")) return always;
  // Neither for subdomains nor for the preload list: those are the operator's to decide.
  return { ...always, "Strict-Transport-Security": `max-age=${YEAR_S}` };
});
