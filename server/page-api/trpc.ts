import { callTRPCProcedure, getTRPCErrorFromUnknown, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { checkJsonType, readJsonBytes } from "../api/middleware/body";
import { checkDeclaredLength, openAnonymousReservation } from "../api/middleware/bytes";
import { drainRequestBody } from "../api/middleware/drain-request-body";
import type { Hub } from "../domain/hub";
import { isAppError } from "../errors";
import type { Reservation } from "../lib/byte-budget";
import { getErrorHeaders, withErrorCode } from "../trpc/error";
import type { Caller } from "../trpc/procedure";
import { root } from "../trpc/root";
import { addressOf, readCaller } from "./caller";
import { isChatStream, serveChatStream } from "./stream-chat";

const BOUNDS = { maxBytes: 256 * 1024, maxValues: 20_000 };
/** Bounds for a request with a whole conversation, or with the inputs of a batch. */
const LARGE_BOUNDS = { maxBytes: 1024 * 1024, maxValues: 50_000 };
const largeProcedures = new Set(["playground.chat", "batches.preview", "batches.create"]);
const MAX_BATCH = 20;

/**
 * Serves the tRPC API of the console. The caller is determined before the body is read, because it counts against their share.
 */
export async function serveTrpc(hub: Hub, request: Request): Promise<Response> {
  const caller = readCaller(hub, request.headers);
  const reservation = await openReservation(hub, request, caller);
  try {
    const bounded = request.body ? await readBounded(request, reservation) : request;
    if (isChatStream(request)) return await serveChatStream(hub, { request: bounded, caller, signal: request.signal });
    return await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: bounded,
      router: root,
      maxBatchSize: MAX_BATCH,
      createContext: () =>
        caller.catch((error: unknown) => {
          throw withErrorCode(getTRPCErrorFromUnknown(error));
        }),
      responseMeta: ({ errors }) => ({ headers: getErrorHeaders(errors) }),
    });
  } catch (error) {
    if (isAppError(error)) return drainRequestBody(request, Response.json({ message: error.message }, error));
    throw error;
  } finally {
    reservation.release();
  }
}

async function openReservation(hub: Hub, request: Request, caller: Promise<Caller>): Promise<Reservation> {
  const { session, pending } = await caller.catch(() => ({ session: null, pending: null }));
  const accountId = session?.account.id ?? pending?.accountId;
  if (accountId !== undefined) return hub.bodyBudget.open(accountId);
  return openAnonymousReservation(hub, addressOf(hub, request.headers));
}

/** Returns the request with its body read within bounds. Rejects with 413, 400 or 503. */
async function readBounded(request: Request, reservation: Reservation): Promise<Request> {
  const { url, method, headers } = request;
  const bounds = largeProcedures.has(new URL(url).pathname.split("/").at(-1)!) ? LARGE_BOUNDS : BOUNDS;
  checkDeclaredLength(request, bounds.maxBytes);
  checkJsonType(headers.get("content-type"));
  const { bytes } = await readJsonBytes(request, bounds, reservation);
  return new Request(url, { method, headers, body: bytes });
}

interface Call {
  type: "query" | "mutation";
  /** Such as "keys.create". */
  path: string;
  input: unknown;
}

/** Calls one of the console's procedures for a page that is being rendered, without an HTTP request. */
export const callProcedure = (caller: Caller, { type, path, input }: Call): Promise<unknown> =>
  callTRPCProcedure({
    router: root,
    path,
    type,
    ctx: caller,
    getRawInput: () => Promise.resolve(input),
    signal: undefined,
    batchIndex: 0,
  });

/** Returns tRPC's code of the error with which a procedure failed; null for any other error. */
export const getProcedureErrorCode = (error: unknown): TRPCError["code"] | null =>
  error instanceof TRPCError ? error.code : null;
