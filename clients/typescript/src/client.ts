import { readChatStream } from "./chat-stream.js";
import { ApiError } from "./errors.js";
import { createHttp, type HubOptions, type HubRequest, type Http, type RequestOptions } from "./http.js";
import { uploadContents } from "./inputs.js";
import type * as types from "./types.js";
import {
  type BatchWaitOptions,
  type WaitOptions,
  preferWait,
  waitForBatch,
  waitForGeneration,
  watchGeneration,
} from "./wait.js";

const CHAT_TIMEOUT_MS = 10 * 60_000;
const BATCHES = "/api/v1/hub/batches";
const FILE_PATH = /\/api\/v1\/hub\/files\/([^/?#]+)/;

export interface CreateOptions extends RequestOptions {
  /** A UUID that groups generations; `list()` filters by it. */
  batchId?: string;
  /** Pairs of your own, by which `list()` filters. */
  metadata?: Record<string, string>;
  /** Your own id of the person for whom it is made. */
  endUser?: string;
  /** A webhook to call when it ends, or on `events`; the calls are signed with the account's signing secret. */
  webhook?: types.OwnWebhook;
  /** Its priority among the account's own generations. */
  priority?: types.Priority;
  /** Id of a quote of the same model and input: its price holds. */
  quote?: string;
}
export interface BatchOptions extends RequestOptions, Pick<CreateOptions, "metadata" | "endUser" | "priority"> {
  /** Rejects the batch if its estimate is higher, in EUR. */
  maxCost?: number;
  /** A webhook to call when all have ended, or on `events`; the calls are signed with the account's signing secret. */
  webhook?: types.BatchWebhook;
}
export type RunOptions = CreateOptions & WaitOptions;
export type UploadContent = Blob | Uint8Array | ArrayBuffer;

/** One hub and one API key. Amounts are decimal strings in EUR, such as "0.0092". */
export class GenerationHub {
  readonly #http: Http;
  readonly #chatTimeoutMs: number;

  constructor(options: HubOptions) {
    this.#http = createHttp(options);
    this.#chatTimeoutMs = options.timeoutMs ?? CHAT_TIMEOUT_MS;
  }

  /** Creates a generation, waits for its end and returns it with its outputs. Throws GenerationFailedError. */
  async run(model: string, input: types.ModelInput, options: RunOptions = {}): Promise<types.Generation> {
    const generation = await this.create(model, input, preferWait(options, this.#chatTimeoutMs));
    return waitForGeneration(this, generation, options);
  }

  /** Creates a generation and yields it now and at each change, until its end. Throws GenerationFailedError. */
  async *subscribe(
    model: string,
    input: types.ModelInput,
    options: RunOptions = {},
  ): AsyncGenerator<types.Generation, void, undefined> {
    yield* watchGeneration(this, await this.create(model, input, options), options);
  }

  /** Waits for the end of a generation. Throws GenerationFailedError. */
  async wait(id: string, options: WaitOptions = {}): Promise<types.Generation> {
    return waitForGeneration(this, await this.get(id, options), options);
  }

  /**
   * Creates a generation and returns it at once, mostly as `queued`. Contents in the input (Blob, Uint8Array) are uploaded
   * first. With an `idempotencyKey` of an earlier call it returns that call's generation.
   */
  async create(model: string, input: types.ModelInput, options: CreateOptions = {}): Promise<types.Generation> {
    const {
      batchId,
      metadata,
      endUser,
      webhook,
      priority,
      quote,
      idempotencyKey = crypto.randomUUID(),
      ...rest
    } = options;
    const ready = await uploadContents(input, async (content) => (await this.upload(content, rest)).sha256);
    const body = { model, input: ready, batch_id: batchId, metadata, end_user: endUser, webhook, priority, quote };
    try {
      return await this.#post("/api/v1/hub/generations", body, { ...rest, idempotencyKey });
    } catch (error) {
      // An earlier attempt of this call was accepted, but its response was lost.
      const id = error instanceof ApiError && error.code === "generation_in_progress" && error.problem.generation_id;
      if (!id) throw error;
      return this.get(id, rest);
    }
  }

  get(id: string, options: RequestOptions = {}): Promise<types.Generation> {
    return this.#get(`/api/v1/hub/generations/${encodeURIComponent(id)}`, options);
  }

  /** Returns one page of generations, newest first; `next_cursor` is the `cursor` of the next one. */
  list(filter: types.ListFilter = {}, options: RequestOptions = {}): Promise<types.GenerationPage> {
    const { metadata = {}, ...others } = filter;
    const pairs = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value] as const);
    return this.#get(`/api/v1/hub/generations${toQuery([...Object.entries(others), ...pairs])}`, options);
  }

  /** Cancels a generation; with `stopRunning` also one that runs at a provider, which may bill for it. */
  cancel(id: string, options: RequestOptions & { stopRunning?: boolean } = {}): Promise<types.Generation> {
    const { stopRunning, ...rest } = options;
    const body = stopRunning ? { stop_running: true } : undefined;
    return this.#post(`/api/v1/hub/generations/${encodeURIComponent(id)}/cancel`, body, rest);
  }

  /**
   * Starts up to 1,000 generations of one model, all or none, and returns the batch at once. Contents in the inputs are
   * uploaded first. `list({ batch_id })` has its generations. With an `idempotencyKey` of an earlier call it returns that
   * call's batch.
   */
  async createBatch(model: string, inputs: types.ModelInput[], options: BatchOptions = {}): Promise<types.Batch> {
    const { maxCost, metadata, endUser, webhook, priority, idempotencyKey = crypto.randomUUID(), ...rest } = options;
    const ready = [];
    for (const input of inputs)
      ready.push(await uploadContents(input, async (content) => (await this.upload(content, rest)).sha256));
    const body = { model, inputs: ready, max_cost: maxCost, metadata, end_user: endUser, webhook, priority };
    try {
      return await this.#post(BATCHES, body, { ...rest, idempotencyKey });
    } catch (error) {
      // An earlier attempt of this call was accepted, but its response was lost.
      const id = error instanceof ApiError && error.code === "generation_in_progress" && error.problem.batch_id;
      if (!id) throw error;
      return this.getBatch(id, rest);
    }
  }

  getBatch(id: string, options: RequestOptions = {}): Promise<types.Batch> {
    return this.#get(`${BATCHES}/${encodeURIComponent(id)}`, options);
  }

  /** Returns one page of batches, newest first; `next_cursor` is the `cursor` of the next one. */
  listBatches(filter: types.BatchFilter = {}, options: RequestOptions = {}): Promise<types.BatchPage> {
    return this.#get(`${BATCHES}${toQuery(Object.entries(filter))}`, options);
  }

  /** Cancels the generations of a batch that have not started; running ones continue. */
  cancelBatch(id: string, options: RequestOptions = {}): Promise<types.Batch> {
    return this.#post(`${BATCHES}/${encodeURIComponent(id)}/cancel`, undefined, options);
  }

  /** Waits until all generations of a batch have ended and returns it; `counts` says how. Throws WaitTimeoutError. */
  async waitForBatch(id: string, options: BatchWaitOptions = {}): Promise<types.Batch> {
    return waitForBatch(this, await this.getBatch(id, options), options);
  }

  /** Returns the most that a generation with this input would cost, in EUR. */
  async estimate(model: string, input: types.ModelInput, options: RequestOptions = {}): Promise<string> {
    const path = `/api/v1/hub/models/${encodeURIComponent(model)}/pricing`;
    return (await this.#post<{ estimated_cost: string }>(path, { input }, options)).estimated_cost;
  }

  async models(options: RequestOptions = {}): Promise<types.Model[]> {
    return (await this.#get<{ data: types.Model[] }>("/api/v1/hub/models", options)).data;
  }

  model(id: string, options: RequestOptions = {}): Promise<types.Model> {
    return this.#get(`/api/v1/hub/models/${encodeURIComponent(id)}`, options);
  }

  /** Returns the account with its balance. */
  account(options: RequestOptions = {}): Promise<types.Account> {
    return this.#get("/api/v1/me", options);
  }

  /** Returns what was settled in a period, by its groups; `next_cursor` is the `cursor` of the next page. */
  usage(filter: types.UsageFilter = {}, options: RequestOptions = {}): Promise<types.Usage> {
    return this.#get(`/api/v1/hub/usage${toQuery(Object.entries(filter))}`, options);
  }

  /** Uploads a file for use as an input: pass its `url`, or `sha256:` and its `sha256`. */
  upload(content: UploadContent, options: RequestOptions & { name?: string } = {}): Promise<types.UploadedFile> {
    const { name, ...rest } = options;
    const blob = content instanceof Blob ? content : new Blob([content as BlobPart]);
    const form = new FormData();
    form.set("file", blob, name ?? (blob instanceof File ? blob.name : "file"));
    return this.#http.sendJson({ ...toRequest(rest), method: "POST", path: "/api/v1/hub/files", body: form });
  }

  /**
   * Returns the content of an output or of a file. The request goes to this hub's address, whatever the host of the URL,
   * so that the key never reaches another server.
   */
  async download(file: { url: string } | string, options: RequestOptions = {}): Promise<Blob> {
    const url = typeof file === "string" ? file : file.url;
    const id = FILE_PATH.exec(url)?.[1];
    if (id === undefined) throw new TypeError(`${url} is not the URL of a file of the hub`);
    const path = `/api/v1/hub/files/${id}`;
    const response = await this.#http.send({ ...options, method: "GET", path, isBuffered: true });
    return response.blob();
  }

  /** Sends a chat in OpenAI's format and returns the completion; `usage.cost` is what it cost in EUR. */
  chat(body: types.ChatRequest, options: RequestOptions = {}): Promise<types.ChatCompletion> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.#post("/api/v1/hub/chat/completions", body, {
      ...options,
      idempotencyKey,
      timeoutMs: this.#chatTimeoutMs,
      waitsInProgress: true,
    });
  }

  /**
   * Sends a chat in OpenAI's format and yields the chunks of the answer as they come; the last one has `usage`, with the
   * cost in EUR. Ending the loop early ends the chat, and what has been sent is charged. Until the first chunk the request is
   * repeated like any other. Throws ApiError for an error after it, and ConnectionError for a stream that breaks off:
   * repeating the call with its `idempotencyKey` then yields what was charged, without a new charge.
   */
  async *streamChat(
    body: types.ChatStreamRequest,
    options: RequestOptions = {},
  ): AsyncGenerator<types.ChatChunk, void, undefined> {
    const response = await this.#http.send({
      ...toRequest(options),
      method: "POST",
      path: "/v1/chat/completions",
      body: toBody({ ...body, stream: true }),
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      timeoutMs: this.#chatTimeoutMs,
      waitsInProgress: true,
    });
    yield* readChatStream(response, options.signal);
  }

  /** Sends any other request of the API, such as POST /api/v1/hub/webhooks, and returns its JSON. */
  request<T = unknown>(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
    const isRepeatable = /^(GET|HEAD|PUT|DELETE)$/i.test(method) || options.idempotencyKey !== undefined;
    return this.#http.sendJson({ ...options, method, path, body: toBody(body), isRepeatable });
  }

  #get<T>(path: string, options: RequestOptions): Promise<T> {
    return this.#http.sendJson({ ...toRequest(options), method: "GET", path });
  }

  #post<T>(path: string, body: unknown, options: Partial<HubRequest>): Promise<T> {
    return this.#http.sendJson({ ...toRequest(options), method: "POST", path, body: toBody(body) });
  }
}

const toBody = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

/** Keeps the options of requests apart from those of waits, which have a timeout of their own. */
function toRequest(options: Partial<HubRequest>): Partial<HubRequest> {
  const { signal, headers, idempotencyKey, timeoutMs, waitsInProgress } = options;
  return { signal, headers, idempotencyKey, timeoutMs: waitsInProgress ? timeoutMs : undefined, waitsInProgress };
}

/** Returns the parameters that have a value, as the query of a path. */
function toQuery(parameters: (readonly [string, unknown])[]): string {
  const given = parameters.filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query && `?${query}`;
}
