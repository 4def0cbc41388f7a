import type { FileRow } from "../files";
import type { ZipWriter } from "../../lib/zip/zip-writer";
import { nameFile } from "./file-path";
import { nextStep, type Position } from "./position";
import { selectFiles } from "./read-rows";
import { type Run, UnreadableFile } from "./run";

const PAGE = 100;
const TEXT_TYPE = /^(text\/|application\/json$)/;

/** Adds the contents of files until there are no more or the part is full. Returns the position after them. */
export async function writeContents(
  run: Run,
  zip: ZipWriter,
  position: Position,
  isFull: () => boolean,
): Promise<Position> {
  const { hub, ctx, signal } = run;
  const files = await selectFiles(hub.db, ctx.account.id, position.after, PAGE);
  for (const file of files) {
    signal.throwIfAborted();
    await writeContent(run, zip, file);
    run.done += 1;
    if (isFull()) return { ...position, after: file.id };
  }
  return files.length < PAGE ? nextStep(position.step) : { ...position, after: files.at(-1)!.id };
}

async function writeContent({ hub, task, missing }: Run, zip: ZipWriter, file: FileRow): Promise<void> {
  const { id, created_at: time, media_type } = file;
  const path = nameFile(file);
  const size = Number(file.size);
  if (task.unreadable.includes(id)) return void missing.push({ id, path, reason: "The storage could not read it." });
  try {
    const content = await hub.storage.open(id, undefined, size);
    if (content) await zip.add({ name: path, time, isCompressed: TEXT_TYPE.test(media_type), size }, content);
    else missing.push({ id, path, reason: "The storage does not have it." });
  } catch (error) {
    throw new UnreadableFile(id, error);
  }
}
