import { z } from "zod";
import { modelKinds } from "../../models";
import { isSearchable } from "./search-words";

const DAY_MS = 86_400_000;
const day = z.iso.date();
const time = z.iso.datetime({ offset: true });

/** Returns the schema of a point in time; a date stands for the beginning of the UTC day that is `addedDays` later. */
const timeOrDate = (addedDays: number) =>
  z
    .string()
    .max(40, "must have at most 40 characters")
    .refine(
      (text) => day.safeParse(text).success || time.safeParse(text).success,
      "must be a date such as 2026-11-21 or a time such as 2026-11-21T08:00:00Z, with + sent as %2B",
    )
    .transform((text) => new Date(Date.parse(text) + (day.safeParse(text).success ? addedDays * DAY_MS : 0)));

/** The parameters that search the list of generations, in REST and the console. */
export const SearchInput = {
  q: z
    .string()
    .max(200, "must have at most 200 characters")
    .refine(isSearchable, "must have a letter or a digit")
    .optional()
    .meta({
      description:
        "Words of the input, in any order and case; the last may be the beginning of a word. Or the id of a generation or a batch",
      example: "lighthouse dusk",
    }),
  from: timeOrDate(0).optional().meta({
    type: "string",
    description: "Only generations created at this time or later; a date means its beginning in UTC",
    example: "2026-11-01",
  }),
  to: timeOrDate(1).optional().meta({
    type: "string",
    description: "Only generations created before this time; a date includes its whole day in UTC",
    example: "2026-11-30",
  }),
  kind: z
    .enum(modelKinds)
    .optional()
    .meta({ description: "Only generations of models that make this; a model that is no longer offered has no kind" }),
  key: z.uuid("must be a UUID").optional().meta({ description: "Only generations of the API key with this id" }),
};
