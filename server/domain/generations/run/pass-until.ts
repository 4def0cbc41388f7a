import { DownloadFailed } from "../../../providers/http/download-failed";

/** Passes content on until `endsAt`, by `performance.now()`, and fails with DownloadFailed when it has not ended then. */
export async function* passUntil(content: AsyncIterable<Uint8Array>, endsAt: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const onLate = () => reject(new DownloadFailed("an output's download takes too long"));
    timer = setTimeout(onLate, endsAt - performance.now());
  });
  // It may be over before anybody waits for it.
  late.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), late]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    // Not awaited: it would wait for the chunk that is late.
    void chunks.return?.().catch(() => undefined);
  }
}
