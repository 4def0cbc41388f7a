import { z } from "zod";

/** Checking a longer text would keep other requests waiting. */
const MAX_SOURCE = 256 * 1024;

/** Returns the schema of a YAML text that an operator checks or applies. */
export const yamlSource = (description: string, example: string) =>
  z
    .string()
    .max(MAX_SOURCE, `may have at most ${MAX_SOURCE} characters; use the command line for more`)
    .meta({ description, example });
