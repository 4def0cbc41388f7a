/**
 * How far a reader may fall behind before it is disconnected. It can resume with the id of the last event that it has read.
 */
const MAX_WAITING_BYTES = 1024 * 1024;

/** A response of server-sent events that several sources write to. `send` never waits for the reader. */
export interface EventSink {
  body: ReadableStream<Uint8Array>;
  isOpen(): boolean;
  /** Sends an event, or disconnects a reader that is too far behind. */
  send(id: string, event: Uint8Array): void;
  /** Resolves when the reader has read what was sent, or has left. */
  drained(): Promise<void>;
  /** Sends a comment, with the id that it renews. */
  comment(): void;
  /** Ends the response after what was sent. */
  end(): void;
}

interface Options {
  /** Returns the id that a comment renews, if there is one. */
  currentId?: () => string | undefined;
  /** How often the reader gets a comment, so that proxies do not close the connection. */
  beatMs: number;
  /** Called with each of these comments. */
  onBeat: () => void;
  /** Called once, for whatever reason the response ends. */
  onEnd: () => void;
}

const encoder = new TextEncoder();

/** Returns an event's lines except its id, encoded once for all of its readers. */
export const encodeEvent = (name: string, data: string): Uint8Array =>
  encoder.encode(`event: ${name}\ndata: ${data}\n\n`);

/** Opens a response of server-sent events. The host cancels its body when the reader leaves. */
export function openEventSink({ currentId, beatMs, onBeat, onEnd }: Options): EventSink {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isOpen = true;
  let onRoom: (() => void)[] = [];

  const wake = () => {
    const resolvers = onRoom;
    onRoom = [];
    for (const resolve of resolvers) resolve();
  };
  const finish = () => {
    if (!isOpen) return false;
    isOpen = false;
    clearTimeout(beat);
    wake();
    onEnd();
    return true;
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (created) => void (controller = created),
    pull: wake,
    cancel: () => void finish(),
  };
  const hasRoom = () => (controller.desiredSize ?? 0) > 0;
  const isRead = () => (controller.desiredSize ?? 0) >= MAX_WAITING_BYTES;
  const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }));
  const comment = () => {
    if (!isOpen || !hasRoom()) return;
    const id = currentId?.();
    controller.enqueue(encoder.encode(id === undefined ? ": keep-alive\n\n" : `id: ${id}\n: keep-alive\n\n`));
  };
  let beat: NodeJS.Timeout;
  // Beats fall on whole seconds, so that streams share the statements that check whether their readers are still allowed.
  const scheduleBeat = () => {
    beat = setTimeout(runBeat, beatMs - (Date.now() % Math.min(beatMs, 1_000))).unref();
  };
  const runBeat = () => {
    comment();
    onBeat();
    if (isOpen) scheduleBeat();
  };
  scheduleBeat();
  // The headers are sent with the first bytes.
  comment();

  return {
    body,
    isOpen: () => isOpen,
    comment,
    send(id, event) {
      if (!isOpen) return;
      if (hasRoom()) {
        controller.enqueue(encoder.encode(`id: ${id}\n`));
        controller.enqueue(event);
      } else if (finish()) controller.error(new Error("the reader of a stream is too slow"));
    },
    async drained() {
      while (isOpen && !isRead()) await new Promise<void>((resolve) => onRoom.push(resolve));
    },
    end() {
      if (finish()) controller.close();
    },
  };
}
