import type { Ctx } from "../../context";
import { getStoredGeneration } from "../generations/read";
import { isFinal } from "../generations/row";
import type { AccountReader } from "./account-reader";
import { followEvents, followLogs } from "./change-log";
import { parseCursor, startCursor } from "./cursor";
import { type EventSink, openEventSink } from "./event-sink";
import { formatPosition, parsePosition } from "./position";
import type { StreamsHub } from "./services";
import { isFinalStep } from "./step";

/** A request for a stream. */
export interface StreamRequest {
  /** The id of the last event that the reader has received; null if it begins. */
  lastEventId: string | null;
  /** Returns whether the reader may still read it. */
  isAllowed: () => Promise<boolean>;
}

/** Every other comment, that is every 30 seconds, the permission of a reader is checked again. */
const BEATS_PER_CHECK = 2;

/**
 * Opens the stream of a generation, which ends after its final record; null if the reader already has it. Throws 404
 * `generation_not_found`, 400 for a `Last-Event-ID` that is not of this stream, and 429 beyond the account's limit.
 */
export async function streamGeneration(
  ctx: Ctx<StreamsHub>,
  id: string,
  request: StreamRequest,
): Promise<ReadableStream<Uint8Array> | null> {
  const cursor = request.lastEventId === null ? startCursor() : parseCursor(request.lastEventId);
  const { status } = await getStoredGeneration(ctx, id);
  if (isFinalStep(cursor.step) && isFinal(status)) return null;
  let stop: () => void = () => undefined;
  const sink = openSink(ctx, request, { onEnd: () => stop() });
  stop = ctx.hub.services.generationFeeds.follow(id, { sink, cursor });
  if (!sink.isOpen()) stop();
  return sink.body;
}

/** Throws 404 `generation_not_found` for a generation that cannot be followed. */
export async function checkStreamed(ctx: Ctx<StreamsHub>, id: string): Promise<void> {
  await getStoredGeneration(ctx, id);
}

/**
 * Opens the stream of an account, from now on or from the reader's last event. Throws 400 for a `Last-Event-ID` that is not
 * of this stream or older than a day, and 429 beyond the account's limit.
 */
export async function streamAccount(
  ctx: Ctx<StreamsHub>,
  { withWebhooks, ...request }: StreamRequest & { withWebhooks: boolean },
): Promise<ReadableStream<Uint8Array>> {
  const { hub, account } = ctx;
  const position = request.lastEventId === null ? null : parsePosition(request.lastEventId, hub.now());
  let reader: AccountReader | undefined;
  let stop: () => void = () => undefined;
  const currentId = () => reader && formatPosition({ ...reader.position, at: hub.now().getTime() });
  const sink = openSink(ctx, request, { onEnd: () => stop(), currentId });
  try {
    await followLogs(hub, [account.id]);
    const event = withWebhooks ? await followEvents(hub, account.id) : 0n;
    const begun = { sink, withWebhooks, position: NOWHERE, waiting: [] };
    stop = await hub.services.accountFeeds.follow(account.id, begun, { position, event });
    reader = begun;
    sink.comment();
  } catch (error) {
    sink.end();
    throw error;
  }
  if (!sink.isOpen()) stop();
  return sink.body;
}

const NOWHERE = { from: 0n, to: 0n, n: 0n, event: 0n, at: 0 };

/** Opens a sink that counts as one of the account's streams, and ends when its reader may no longer read it. */
function openSink(
  { hub, account }: Ctx<StreamsHub>,
  { isAllowed }: StreamRequest,
  { onEnd, currentId }: { onEnd: () => void; currentId?: () => string | undefined },
): EventSink {
  let beats = 0;
  const onBeat = () => {
    beats += 1;
    if (beats % BEATS_PER_CHECK === 0) void isAllowed().then((allowed) => allowed || sink.end());
  };
  const leave = hub.services.openStreams.add(account.id, () => sink.end());
  const sink: EventSink = openEventSink({
    currentId,
    beatMs: hub.services.openStreams.beatMs,
    onBeat,
    onEnd() {
      leave();
      onEnd();
    },
  });
  return sink;
}
