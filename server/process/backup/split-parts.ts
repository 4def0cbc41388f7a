/** Yields content in numbered parts of `maxBytes`, the last one smaller; one empty part for no content at all. */
export async function* splitParts(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ number: string; content: Buffer }> {
  let pending: Buffer[] = [];
  let length = 0;
  let count = 0;
  const takePart = () => {
    const part = Buffer.concat(pending);
    count += 1;
    pending = [];
    length = 0;
    return { number: String(count).padStart(6, "0"), content: part };
  };
  for await (const chunk of content) {
    for (let start = 0; start < chunk.length;) {
      const piece = Buffer.from(chunk.subarray(start, start + maxBytes - length));
      start += piece.length;
      length += piece.length;
      pending.push(piece);
      if (length === maxBytes) yield takePart();
    }
  }
  if (length > 0 || count === 0) yield takePart();
}
