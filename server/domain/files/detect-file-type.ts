import { invalidInput } from "../../errors";
import { typeByMagicBytes } from "./magic-bytes";
import { createTextDetector } from "./text-type";

const HEAD_BYTES = 4096;

/**
 * Lets an upload pass and finds its type by what is in it, never by what it is called. Ends it with a 400 about `file`
 * when it is empty or of a type that the hub does not take, so that nothing of it is kept.
 */
export function detectFileType(content: AsyncIterable<Uint8Array>) {
  let type: string | null = null;
  const text = createTextDetector();
  const check = (fault: string | null) => {
    if (fault !== null) throw invalidInput("file", fault);
  };
  const judge = (head: Buffer): Buffer => {
    check(head.length === 0 ? "is empty" : null);
    type = typeByMagicBytes(head);
    if (type === null) check(text.push(head));
    return head;
  };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let head: Buffer | null = Buffer.alloc(0);
    for await (const chunk of content) {
      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length < HEAD_BYTES) continue;
        yield judge(head);
        head = null;
      } else {
        if (type === null) check(text.push(chunk));
        yield chunk;
      }
    }
    if (head) yield judge(head);
    if (type === null) check(text.end());
  }
  return {
    chunks: chunks(),
    /** Known when all of it has passed. */
    type: () => type ?? text.type(),
  };
}
