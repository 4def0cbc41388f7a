/** Returns the content and the headers of a download of CSV, whose file is named after `name` and the day. */
export const createCsvDownload = (name: string, at: Date, texts: AsyncGenerator<string>) => ({
  content: streamTexts(texts),
  headers: {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}-${at.toISOString().slice(0, 10)}.csv"`,
    "Cache-Control": "no-store",
  },
});

/** Returns the bytes of texts as a stream, which produces the next one only when its reader has the last one. */
const streamTexts = (texts: AsyncGenerator<string>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = await texts.next();
      if (text.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(text.value));
    },
    cancel: async () => void (await texts.return(undefined)),
  });
