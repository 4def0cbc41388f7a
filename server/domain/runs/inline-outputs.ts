import type { Hub } from "../../context";

/** The turn of an attempt to have a response with inline outputs in memory. */
export interface InlineOutputs {
  wait(signal: AbortSignal): Promise<void>;
  /** Lets the next attempt in; harmless when it never waited. */
  release(): void;
}

/** Returns the turn of one attempt. Such responses take up to 64 MiB, so that only one is in memory at a time. */
export function createInlineOutputs({ services }: { services: Pick<Hub["services"], "inlineOutputs"> }): InlineOutputs {
  let release: (() => void) | undefined;
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (release) return resolve();
        const hold = () =>
          new Promise<void>((done) => {
            release = done;
            resolve();
          });
        services.inlineOutputs.run(hold, signal).catch(reject);
      }),
    release: () => release?.(),
  };
}
