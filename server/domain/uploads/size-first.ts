import { fileTooLarge } from "../../errors";

/**
 * Gives a size limit precedence over another check of the same content. The check reads `content`, and `checked` passes on
 * what it yields. If the check throws, `checked` reads on, and throws a 413 instead if there are more than `limit` bytes.
 */
export function sizeFirst(content: AsyncIterable<Uint8Array>, limit: number) {
  const source = content[Symbol.asyncIterator]();
  let size = 0;
  const next = async () => {
    const read = await source.next();
    if (!read.done) size += read.value.byteLength;
    return read;
  };
  return {
    // Without `return`, so that a check that throws does not close the source.
    content: { [Symbol.asyncIterator]: () => ({ next }) } satisfies AsyncIterable<Uint8Array>,
    async *checked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        yield* chunks;
      } catch (error) {
        while (size <= limit && !(await next()).done);
        throw size > limit ? fileTooLarge(limit) : error;
      } finally {
        await source.return?.();
      }
    },
  };
}
