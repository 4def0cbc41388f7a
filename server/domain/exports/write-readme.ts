import { Readable } from "node:stream";
import type { ZipWriter } from "../../lib/zip/zip-writer";
import { lists, type ListStep } from "./lists";
import { nextStep, type Position } from "./position";
import type { Run } from "./run";

/** Adds the text that explains the archive. Returns the position after it. */
export async function writeReadme({ ctx, task }: Run, zip: ZipWriter): Promise<Position> {
  const { id, email } = ctx.account;
  const names = Object.keys(lists) as ListStep[];
  const text = `Data of account ${id} (${email}), exported by Generation Hub

Export ${task.id}, started ${task.created_at.toISOString()}. What was created later is not complete here.

Each list is there twice: as JSON Lines (.jsonl) with whole records, one JSON document a line, and as CSV for
spreadsheets with the short values of each record. Lists are UTF-8 and have the newest record first. A long list is
divided after 10,000 records or less: "generations.jsonl", "generations-2.jsonl" and so on. Times are UTC, amounts are EUR.

${names.map((name) => `${name.padEnd(14)} ${lists[name].title}`).join("\n")}

outputs/       the results of generations: outputs/<id of the generation>/<number>-<id of the file>.<type>
uploads/       the files that you uploaded: uploads/<id of the file>-<name>

A file that could not be read is in missing-files instead of outputs or uploads. Files that expired or were deleted before
the export are in neither. Secrets of keys and webhooks are never exported: the hub stores only hashes of keys, and
encrypted secrets of webhooks. A CSV value that a spreadsheet would take for a formula begins with an apostrophe.
`;
  await zip.add({ name: "README.txt", time: task.created_at, isCompressed: true }, Readable.from([text]));
  return nextStep("readme");
}
