/** Replaces `remove` bytes at a position of the original with others. */
export interface Edit {
  at: number;
  remove: number;
  insert: Buffer;
}

/** Smaller chunks are merged, so that a stream of single bytes does not hold millions of buffers. */
const MERGED_BYTES = 1024;

/** Holds back chunks of a stream until no further edit can change them, and then edits them. */
export class EditedStream {
  readonly edits: Edit[] = [];
  /** The edits that restore the original from what was passed on. */
  readonly reversed: Edit[] = [];
  private chunks: Uint8Array[] = [];
  private start = 0;
  private shift = 0;
  heldBytes = 0;

  push(chunk: Uint8Array): void {
    const last = this.chunks.at(-1);
    if (last && last.length + chunk.length <= MERGED_BYTES) this.chunks.splice(-1, 1, Buffer.concat([last, chunk]));
    else this.chunks.push(chunk);
    this.heldBytes += chunk.length;
  }

  /** Yields the bytes before `end`, edited. An insertion exactly there waits, unless the stream ends there. */
  *pass(end: number, isEnd = false): Generator<Uint8Array> {
    for (let edit = this.edits[0]; edit && isDue(edit, end, isEnd); edit = this.edits[0]) {
      this.edits.shift();
      yield* this.shiftUntil(edit.at);
      const removed = Buffer.concat([...this.shiftUntil(edit.at + edit.remove)]);
      this.reversed.push({ at: edit.at + this.shift, remove: edit.insert.length, insert: removed });
      this.shift += edit.insert.length - edit.remove;
      yield edit.insert;
    }
    yield* this.shiftUntil(Math.min(end, this.edits[0]?.at ?? end));
  }

  /** Yields all held bytes, edited. */
  passAll = (isEnd = false): Generator<Uint8Array> => this.pass(this.start + this.heldBytes, isEnd);

  private *shiftUntil(end: number): Generator<Uint8Array> {
    while (this.start < end && this.heldBytes > 0) {
      const chunk = this.chunks[0]!;
      const piece = chunk.subarray(0, end - this.start);
      if (piece.length === chunk.length) this.chunks.shift();
      else this.chunks[0] = chunk.subarray(piece.length);
      this.start += piece.length;
      this.heldBytes -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }
}

const isDue = ({ at, remove }: Edit, end: number, isEnd: boolean): boolean => at + remove <= end && (isEnd || at < end);

/** Restores the original of marked content. */
export async function* repairContent(content: AsyncIterable<Uint8Array>, repairs: Edit[]): AsyncGenerator<Uint8Array> {
  const edited = new EditedStream();
  edited.edits.push(...repairs);
  for await (const chunk of content) {
    edited.push(chunk);
    yield* edited.passAll();
  }
  yield* edited.passAll(true);
}
