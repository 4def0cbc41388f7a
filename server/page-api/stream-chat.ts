import { callTRPCProcedure, getTRPCErrorFromUnknown } from "@trpc/server";
import type { Hub } from "../domain/hub";
import { getErrorHeaders, INTERNAL_ERROR_MESSAGE, toAppError, toDisplayedError, withErrorCode } from "../trpc/error";
import type { Caller } from "../trpc/procedure";
import { chatStreams } from "../trpc/stream-chat";
import { transformer } from "../trpc/transformer";

const CONTENT = "text/event-stream";
const HEADERS = {
  "Content-Type": `${CONTENT}; charset=utf-8`,
  // A compressed response would be buffered.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** Returns whether a request to the console's API asks for the chat of the playground as a stream. */
export const isChatStream = ({ method, url, headers }: Request): boolean =>
  method === "POST" && headers.get("accept") === CONTENT && new URL(url).pathname === "/api/trpc/playground.chat";

interface StreamRequest {
  /** Its body is bounded. */
  request: Request;
  caller: Promise<Caller>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** Serves a chat as server-sent events in OpenAI's format; an error before the first event has the format of tRPC. */
export async function serveChatStream(hub: Hub, { request, caller, signal }: StreamRequest): Promise<Response> {
  // Read once: each check of the procedure asks for the input.
  let input: Promise<unknown> | undefined;
  const readInput = () => (input ??= request.json().then((sent) => transformer.deserialize(sent as object)));
  try {
    const { body } = (await callTRPCProcedure({
      router: chatStreams,
      path: "chat",
      type: "mutation",
      ctx: await caller,
      getRawInput: readInput,
      signal,
      batchIndex: 0,
    })) as { body: ReadableStream<Uint8Array> };
    return new Response(body, { headers: HEADERS });
  } catch (thrown) {
    const error = withErrorCode(getTRPCErrorFromUnknown(thrown));
    const appError = toAppError(error);
    if (!appError) hub.log.error({ err: thrown, path: "playground.chat" }, "console request failed");
    const status = appError?.status ?? 500;
    const data = { httpStatus: status, ...toDisplayedError(appError) };
    const sent = transformer.serialize({ message: appError?.message ?? INTERNAL_ERROR_MESSAGE, data });
    return Response.json({ error: sent }, { status, headers: getErrorHeaders([error]) });
  }
}
