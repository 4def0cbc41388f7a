/** Returns the bytes of texts as a stream, which produces the next one only when its reader has the last one. */
export const streamTexts = (texts: AsyncGenerator<string>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = await texts.next();
      if (text.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(text.value));
    },
    cancel: async () => void (await texts.return(undefined)),
  });
