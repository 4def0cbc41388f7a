import type { StreamTimes } from "./hub";

/** How many bytes are buffered for a slow reader before the provider is read more slowly. */
const MAX_WAITING_BYTES = 64 * 1024;

/** A response of server-sent events whose reader sets the pace. */
export interface EventStream {
  body: ReadableStream<Uint8Array>;
  /** Resolves with the first event. */
  started: Promise<void>;
  /** Aborts when the reader leaves. */
  left: AbortSignal;
  /** Whether an event was passed to the reader; comments do not count. */
  hasSent(): boolean;
  /** Sends an event when there is room for it, or drops it if the reader has left. Rejects with the signal's reason. */
  send(data: unknown, signal: AbortSignal, name?: string): Promise<void>;
  /** Sends the last event at once and closes the stream. */
  end(data: string): void;
}

/**
 * Creates a stream of server-sent events that sends a comment after each silence. The reader has also left when
 * `disconnected` aborts, because a host may notice that before it cancels the body.
 */
export function createEventStream({ commentMs }: StreamTimes, disconnected: AbortSignal): EventStream {
  const encoder = new TextEncoder();
  const left = new AbortController();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isClosed = false;
  let hasSent = false;
  let onRoom: () => void = () => undefined;
  let onStart!: () => void;
  const started = new Promise<void>((resolve) => (onStart = resolve));

  const close = () => {
    isClosed = true;
    clearTimeout(silence);
    disconnected.removeEventListener("abort", leave);
    onRoom();
  };
  const leave = () => {
    if (isClosed) return;
    close();
    left.abort();
  };
  const enqueue = (text: string) => {
    controller.enqueue(encoder.encode(text));
    hasSent ||= !text.startsWith(":");
    silence.refresh();
  };
  const hasRoom = () => controller.desiredSize !== null && controller.desiredSize > 0;

  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (created) => void (controller = created),
    pull: () => onRoom(),
    cancel: leave,
  };
  const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }));
  const silence = setTimeout(() => {
    if (hasRoom()) enqueue(": keep-alive\n\n");
    else silence.refresh();
  }, commentMs).unref();
  if (disconnected.aborted) leave();
  else disconnected.addEventListener("abort", leave, { once: true });

  return {
    body,
    started,
    left: left.signal,
    hasSent: () => hasSent,
    async send(data, signal, name) {
      while (!isClosed && !hasRoom()) {
        signal.throwIfAborted();
        await waitUnlessAborted(signal, (resume) => (onRoom = resume));
      }
      signal.throwIfAborted();
      if (isClosed) return;
      enqueue(writeEvent(data, name));
      onStart();
    },
    end(data) {
      if (isClosed) return;
      enqueue(data);
      close();
      controller.close();
    },
  };
}

/** Returns the text of an event, with its name unless it has none. */
export const writeEvent = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Waits until the function that `listen` gets is called, or the signal aborts. */
const waitUnlessAborted = (signal: AbortSignal, listen: (resume: () => void) => void) =>
  new Promise<void>((resolve) => {
    const finish = () => {
      signal.removeEventListener("abort", finish);
      resolve();
    };
    listen(finish);
    signal.addEventListener("abort", finish, { once: true });
  });
