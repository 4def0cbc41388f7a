import { invalidInput } from "../../errors";
import { typeByMagicBytes } from "./magic-bytes";
import { createTextDetector } from "./text-type";

const HEAD_BYTES = 4096;

/**
 * Passes an upload through and detects its media type from its content, never from its name. Throws a 400 about `file`
 * from the stream when the content is empty or of an unsupported type, so that nothing of it is stored.
 */
export function detectFileType(content: AsyncIterable<Uint8Array>) {
  let type: string | null = null;
  const text = createTextDetector();
  const rejectIf = (issue: string | null) => {
    if (issue !== null) throw invalidInput("file", issue);
  };
  const detect = (head: Buffer): Buffer => {
    rejectIf(head.length === 0 ? "is empty" : null);
    type = typeByMagicBytes(head);
    if (type === null) rejectIf(text.push(head));
    return head;
  };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let head: Buffer | null = Buffer.alloc(0);
    for await (const chunk of content) {
      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length < HEAD_BYTES) continue;
        yield detect(head);
        head = null;
      } else {
        if (type === null) rejectIf(text.push(chunk));
        yield chunk;
      }
    }
    if (head) yield detect(head);
    if (type === null) rejectIf(text.end());
  }
  return {
    chunks: chunks(),
    /** Returns whether what was read is enough to know the media type; that of a text needs all of it. */
    isKnown: () => type !== null,
    /** Returns the media type; call it after the stream has ended, or once it is known. */
    type: () => type ?? text.type(),
  };
}
