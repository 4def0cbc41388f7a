import type { z } from "@hono/zod-openapi";
import { invalidInput } from "../../errors";
import { parseOrThrow } from "./parse-or-throw";

/** The known query parameters, parsed; each at most once. Unknown ones are ignored, as proxies and trackers add them. */
export function readQuery<S extends z.ZodObject>(url: string, schema: S): z.output<S> {
  const start = url.indexOf("?");
  const given: Record<string, string> = {};
  if (start !== -1) {
    for (const [name, value] of new URLSearchParams(url.slice(start))) {
      if (!Object.hasOwn(schema.shape, name)) continue;
      if (Object.hasOwn(given, name)) throw invalidInput(name, "must be given once");
      given[name] = value;
    }
  }
  return parseOrThrow(schema, given);
}
