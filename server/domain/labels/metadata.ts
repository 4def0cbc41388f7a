import { z } from "zod";
import type { Metadata } from "../../context";
import { isObject } from "../../lib/is-object";
import { isStorable } from "../../lib/json/storable";
import { METADATA_KEY } from "./pairs";

export const MAX_PAIRS = 16;
const MAX_VALUE_LENGTH = 512;
const MAX_END_USER_LENGTH = 255;

const isValue = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_VALUE_LENGTH && isStorable(value);

/** Returns the value if it is a valid end user id; null otherwise. */
export const toEndUser = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= MAX_END_USER_LENGTH && isStorable(value) ? value : null;

/**
 * Merges metadata objects; the first that has a key wins. Leaves out invalid pairs and those after the sixteenth. Returns null if
 * no pair is left.
 */
export function mergePairs(...sources: unknown[]): Metadata | null {
  // Clients choose the keys, so one may be `__proto__`.
  const pairs = new Map<string, string>();
  for (const source of sources.filter(isObject)) {
    for (const key of Object.keys(source)) {
      if (pairs.size === MAX_PAIRS) break;
      const value = source[key];
      if (METADATA_KEY.test(key) && isValue(value) && !pairs.has(key)) pairs.set(key, value);
    }
  }
  return pairs.size === 0 ? null : Object.fromEntries(pairs);
}

/** Returns the issues of metadata, each with its path. */
export function listMetadataIssues(value: unknown, maxPairs = MAX_PAIRS): { path: string[]; message: string }[] {
  if (!isObject(value)) return [{ path: [], message: "must be an object of texts" }];
  const keys = Object.keys(value);
  if (keys.length > maxPairs) return [{ path: [], message: `must have at most ${maxPairs} pairs` }];
  return keys.flatMap((key) => {
    if (!METADATA_KEY.test(key))
      return [{ path: [key], message: "must have a name of 1 to 64 letters, digits, _, . or -" }];
    return isValue(value[key])
      ? []
      : [{ path: [key], message: `must be a text of at most ${MAX_VALUE_LENGTH} characters` }];
  });
}

const metadataSchema = (maxPairs: number, minPairs = 0) =>
  z
    .custom<Metadata>()
    .superRefine((value, context) => {
      if (isObject(value) && Object.keys(value).length < minPairs)
        context.addIssue({ code: "custom", message: `must have at least ${minPairs} pair` });
      // In a union, Zod reports the issues of the closest option; an option whose member is absent must not count as close.
      const isPresent = value !== undefined;
      for (const issue of listMetadataIssues(value, maxPairs))
        context.addIssue({ code: "custom", ...issue, continue: isPresent });
    })
    .meta({
      type: "object",
      ...(minPairs > 0 && { minProperties: minPairs }),
      maxProperties: maxPairs,
      propertyNames: { pattern: METADATA_KEY.source },
      additionalProperties: { type: "string", maxLength: MAX_VALUE_LENGTH },
    });

const endUserSchema = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_END_USER_LENGTH, `must have at most ${MAX_END_USER_LENGTH} characters`)
  .refine(isStorable, "must not hold \\u0000 or half a surrogate pair");

/** The fixed pairs of an API key. */
export const KeyMetadataInput = metadataSchema(MAX_PAIRS)
  .nullish()
  .meta({
    type: ["object", "null"],
    description: "Metadata that each generation of the key gets, and that no request can override; null for none",
    example: { team: "blue" },
  });

/** The members of a request that label its generation. */
export const LabelInput = {
  metadata: metadataSchema(MAX_PAIRS)
    .optional()
    .meta({
      description: "Your own pairs, by which lists can be filtered: up to 16, all texts",
      example: { team: "blue", run: "7" },
    }),
  end_user: endUserSchema
    .optional()
    .meta({ description: "Your own id of the person for whom this is made", example: "user-4711" }),
};

const MAX_FILTERS = 3;

/** A generation counts against a budget if it has all of these pairs. */
export const BudgetMetadataInput = metadataSchema(MAX_FILTERS, 1);

/** The parameters that filter lists by labels; `metadata` is sent as `metadata.KEY=VALUE`. */
export const LabelFilter = {
  metadata: metadataSchema(MAX_FILTERS)
    .optional()
    .meta({
      description:
        "Only generations that have all of these pairs, up to 3: `metadata.KEY=VALUE` or `metadata[KEY]=VALUE`",
      example: { team: "blue" },
      param: { style: "deepObject", explode: true },
    }),
  end_user: endUserSchema.optional().meta({ description: "Only generations of this end user", example: "user-4711" }),
};
