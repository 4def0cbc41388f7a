import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const Columns = z.record(z.string(), z.array(z.string()).min(1));
const Text = z.string().min(1);

/** The classes of all columns of the database, as docs/personal-data.yaml has them. */
export const personalData = z
  .strictObject({
    kinds: z.array(
      z.strictObject({
        name: Text,
        what: Text,
        why: Text,
        kept: Text,
        seenBy: Text,
        /** Where else the data is, besides the columns. */
        alsoIn: Text.optional(),
        columns: Columns,
      }),
    ),
    notPersonal: Columns,
  })
  .parse(parse(readFileSync("docs/personal-data.yaml", "utf8")));
