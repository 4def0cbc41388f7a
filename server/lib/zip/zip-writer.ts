import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** A file in an archive. */
interface ZipEntry {
  name: string;
  time: Date;
  /** Media is compressed already, so it is stored as it is. */
  isCompressed: boolean;
  /** In bytes, if it is known; content of another size fails. */
  size?: number;
}

/** Writes a ZIP archive to a stream. Nothing is held in memory but the directory of its entries. */
export interface ZipWriter {
  /** The archive. It fails with the error of an entry's content. */
  content: Readable;
  /** Returns how many entries were added. */
  count(): number;
  /** Adds an entry, and resolves once its content has been read. One entry at a time. */
  add(entry: ZipEntry, source: Readable): Promise<void>;
  /** Writes the directory; no entry may be added any more. */
  end(): void;
  /** Ends the archive and the content that it reads with an error. */
  destroy: (error: Error) => void;
}

/** Returns a writer of an archive whose end has the form that `readTail` reads. */
export function createZipWriter(): ZipWriter {
  const zip = new ZipFile();
  // A stream for reading and writing, although its type says less.
  const content = zip.outputStream as Readable;
  let source: Readable | null = null;
  let count = 0;
  const destroy = (error: Error) => {
    source?.destroy(error);
    content.destroy(error);
  };
  // Whoever reads the content gets the error.
  content.on("error", () => undefined);
  zip.on("error", destroy);
  return {
    content,
    count: () => count,
    async add({ name, time, isCompressed, size }, from) {
      source = from;
      count += 1;
      if (content.destroyed) from.destroy(content.errored ?? undefined);
      else zip.addReadStream(from, name, { mtime: time, compress: isCompressed, size });
      await finished(from);
      source = null;
    },
    end: () => zip.end({ forceZip64Format: true, comment: "" }),
    destroy,
  };
}
