import type { DisplayedError } from "@/server/trpc/error";
import { type SentValue, transformer } from "@/server/trpc/transformer";

/** A call of one of the console's procedures. */
export interface Call {
  type: "query" | "mutation";
  /** Such as "keys.create". */
  path: string;
  input: unknown;
  signal?: AbortSignal;
}

export type SendCall = (call: Call) => Promise<unknown>;

/** A call that failed. */
export class CallError extends Error {
  constructor(
    message: string,
    /** The error data of the hub; null if the hub did not respond. */
    readonly data: (Partial<DisplayedError> & { httpStatus?: number }) | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface Waiting {
  call: Call;
  resolve: (output: unknown) => void;
  reject: (error: CallError) => void;
}

const URL_PREFIX = "/api/trpc/";
/** The most calls that the hub accepts in one request. */
const MAX_BATCH = 20;

/**
 * Returns a function that sends calls to the console's API in tRPC's format. Calls of the same moment share a request. We
 * don't use tRPC's own client, whose streams, subscriptions and sockets would be a tenth of a page's scripts.
 */
export function createSender(send: typeof fetch): SendCall {
  const waiting: Record<Call["type"], Waiting[]> = { query: [], mutation: [] };
  const flush = (type: Call["type"]) => {
    const calls = waiting[type];
    waiting[type] = [];
    for (let n = 0; n < calls.length; n += MAX_BATCH) void sendBatch(send, type, calls.slice(n, n + MAX_BATCH));
  };
  return (call) =>
    new Promise((resolve, reject) => {
      const count = waiting[call.type].push({ call, resolve, reject });
      if (count === 1) setTimeout(() => flush(call.type));
    });
}

async function sendBatch(send: typeof fetch, type: Call["type"], batch: Waiting[]): Promise<void> {
  try {
    const calls = batch.map(({ call }) => call);
    const url = `${URL_PREFIX}${calls.map(({ path }) => path).join(",")}?batch=1`;
    const input = JSON.stringify(Object.fromEntries(calls.map((call, n) => [n, transformer.serialize(call.input)])));
    const signal = abortWithAll(calls);
    const response = await (type === "query"
      ? send(`${url}&input=${encodeURIComponent(input)}`, { signal })
      : send(url, { method: "POST", headers: { "content-type": "application/json" }, body: input, signal }));
    const replies = (await response.json()) as Reply[];
    for (const [n, waiting] of batch.entries()) settle(waiting, replies[n]!);
  } catch (error) {
    for (const { reject } of batch) reject(new CallError((error as Error).message, null, { cause: error }));
  }
}

type Reply = { result: { data: SentValue } } | { error: SentValue };

function settle({ resolve, reject }: Waiting, reply: Reply): void {
  if ("result" in reply) return resolve(transformer.deserialize(reply.result.data));
  reject(readCallError(reply));
}

/** Returns the error of a reply. */
export function readCallError(reply: { error: SentValue }): CallError {
  const { message, data } = transformer.deserialize(reply.error) as Pick<CallError, "message" | "data">;
  return new CallError(message, data);
}

/** Returns a signal that aborts once all calls are aborted. */
function abortWithAll(calls: Call[]): AbortSignal {
  const controller = new AbortController();
  const abort = () => calls.every(({ signal }) => signal?.aborted) && controller.abort();
  for (const { signal } of calls) signal?.addEventListener("abort", abort);
  return controller.signal;
}
