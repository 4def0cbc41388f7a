/** Replaces `remove` bytes at a position of the unedited content with others. */
export interface Edit {
  at: number;
  remove: number;
  insert: Buffer;
}

/** Holds a part of a content until it may be passed on, and then makes the edits that are due in it. */
export class EditedContent {
  readonly edits: Edit[] = [];
  /** The edits that turn the passed content back into the unedited one. */
  readonly reversed: Edit[] = [];
  private chunks: Uint8Array[] = [];
  private start = 0;
  private shift = 0;
  heldBytes = 0;

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.heldBytes += chunk.length;
  }

  /** Yields what is before a position, edited. An edit exactly there is made only at the end of the content. */
  *pass(end: number, isEnd = false): Generator<Uint8Array> {
    for (let edit = this.edits[0]; edit && isDue(edit, end, isEnd); edit = this.edits[0]) {
      this.edits.shift();
      yield* this.take(edit.at);
      const removed = Buffer.concat([...this.take(edit.at + edit.remove)]);
      this.reversed.push({ at: edit.at + this.shift, remove: edit.insert.length, insert: removed });
      this.shift += edit.insert.length - edit.remove;
      yield edit.insert;
    }
    yield* this.take(Math.min(end, this.edits[0]?.at ?? end));
  }

  /** Yields everything that is held, edited. */
  passAll = (isEnd = false): Generator<Uint8Array> => this.pass(this.start + this.heldBytes, isEnd);

  private *take(end: number): Generator<Uint8Array> {
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

/** Makes edits in a content whose structure is known. */
export async function* applyEdits(content: AsyncIterable<Uint8Array>, edits: Edit[]): AsyncGenerator<Uint8Array> {
  const edited = new EditedContent();
  edited.edits.push(...edits);
  for await (const chunk of content) {
    edited.push(chunk);
    yield* edited.passAll();
  }
  yield* edited.passAll(true);
}
