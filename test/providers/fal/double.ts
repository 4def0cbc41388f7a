import { randomUUID } from "node:crypto";
import type { Callback } from "../callbacks";
import { type Double, type DoubleRequest, type DoubleResponse, openDouble } from "../double";
import { describeInvalid, describeOutage, FAL_KEY, PICTURE } from "./samples";
import { answerStorage } from "./storage";
import { createWebhookSigner, type WebhookSigner } from "./webhooks";

/** How a job ends: what its state says about an error, and the answer to the request for its result. */
export interface FalEnd {
  /** `COMPLETED` by default. */
  state?: string;
  error?: string;
  errorType?: string;
  result: DoubleResponse;
}

export interface FalJob {
  id: string;
  endpoint: string;
  input: unknown;
  webhookUrl: string | null;
  /** How often its state was asked for: the clock of the double. */
  polls: number;
  isCanceled: boolean;
  end: FalEnd;
}

export interface FalDouble extends Double, WebhookSigner {
  /** By request id, oldest first. */
  jobs: Map<string, FalJob>;
  /** What its CDN answers, by path. */
  files: Map<string, DoubleResponse>;
  /** The queue positions that the next submits are told, one each; all others have three jobs before them. */
  queuePositions: number[];
  /** Sets how the next jobs end, one each; all others deliver the picture `/files/picture.png`. */
  endNextJobs: (...ends: FalEnd[]) => void;
  /** Posts the signed webhook of a job to the URL that its submit named, and returns the status of the answer. */
  sendWebhook: (job: FalJob) => Promise<number>;
  /** Ends a job, and returns the webhook that says so, signed at this time. */
  endJob: (job: FalJob, at: Date) => Callback;
}

interface State {
  jobs: Map<string, FalJob>;
  files: Map<string, DoubleResponse>;
  ends: FalEnd[];
  queuePositions: number[];
}

const states = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED"] as const;

/** Opens a server that speaks the protocols of fal's queue, store, prices and webhooks strictly. */
export async function openFalDouble(): Promise<FalDouble> {
  const state: State = { jobs: new Map(), files: new Map(), ends: [], queuePositions: [] };
  const signer = createWebhookSigner();
  const double = await openDouble({
    isSubmit,
    isOutput: ({ method, url }) => method === "GET" && url.pathname.startsWith("/files/"),
    describeError: (status) => (status === 422 ? describeInvalid("prompt") : describeOutage(status)),
    respond: (request) => {
      if (request.url.pathname === "/.well-known/jwks.json") return { status: 200, body: signer.buildKeySet() };
      return answerStorage(request, state.files) ?? answerWithKey(request, state);
    },
  });
  state.files.set("/files/picture.png", { status: 200, body: PICTURE });
  return {
    ...double,
    ...signer,
    jobs: state.jobs,
    files: state.files,
    queuePositions: state.queuePositions,
    endNextJobs: (...ends) => void state.ends.push(...ends),
    endJob: (job, at) => {
      job.polls = states.length;
      const { headers, body } = signer.signWebhook(job, at);
      return { url: job.webhookUrl!, headers, body: body.toString() };
    },
    sendWebhook: async (job) => {
      const { headers, body } = signer.signWebhook(job);
      return (await fetch(job.webhookUrl!, { method: "POST", headers, body: body.toString() })).status;
    },
  };
}

function answerWithKey(request: DoubleRequest, state: State): DoubleResponse {
  const { url } = request;
  if (!hasKey(request)) return { status: 401, body: { detail: "Authentication is required" } };
  if (url.pathname === "/v1/models/pricing") return answerPrices(url.searchParams.getAll("endpoint_id"));
  if (isForEndpoint(request)) return findIssue(request) ?? acceptJob(request, state);
  const [, app = "", id = "", action = "response"] =
    /^\/(.+?)\/requests\/([\w-]+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
  const job = state.jobs.get(id);
  if (!job) return { status: 404, body: { detail: "Request not found", status: "NOT_FOUND" } };
  return app === appOf(job) ? answerAboutJob(request, job, action) : methodNotAllowed;
}

const hasKey = ({ headers }: DoubleRequest) => headers.authorization === `Key ${FAL_KEY}`;
const isForEndpoint = ({ method, url }: DoubleRequest) =>
  method === "POST" && /^(\/[\w.-]+){2,}$/.test(url.pathname) && !/\/requests\/|^\/storage\//.test(url.pathname);
const isSubmit = (request: DoubleRequest) => isForEndpoint(request) && hasKey(request) && !findIssue(request);

/** Returns the rejection of a submit that fal would not put into its queue. */
function findIssue({ url, json, headers }: DoubleRequest): DoubleResponse | null {
  const hasUnknown = [...url.searchParams.keys()].some((name) => name !== "fal_webhook");
  const timeout = headers["x-fal-request-timeout"];
  if (hasUnknown || (timeout !== undefined && !(Number(timeout) > 1)))
    return { status: 400, body: { detail: "Invalid timeout", error_type: "bad_request" } };
  if (typeof json !== "object" || json === null) return { status: 422, body: describeInvalid("body") };
  const isRefused = "prompt" in json && json.prompt === "something forbidden";
  return isRefused ? { status: 422, body: describeInvalid("prompt", "content_policy_violation") } : null;
}

/** Returns the path of a job's app: the URLs of a request drop what follows it in the endpoint. */
const appOf = ({ endpoint }: FalJob) => /^((workflows|comfy)\/)?[^/]+\/[^/]+/.exec(endpoint)![0];

function answerAboutJob({ method, url }: DoubleRequest, job: FalJob, action: string): DoubleResponse {
  if (action === "cancel" && method === "PUT") return cancelJob(job);
  if (action === "status" && method === "GET") return answerStatus(job, url);
  return action === "response" && method === "GET" ? answerResult(job) : methodNotAllowed;
}

const methodNotAllowed: DoubleResponse = { status: 405, body: { detail: "Method Not Allowed" } };

function acceptJob({ url, json }: DoubleRequest, { jobs, ends, queuePositions }: State): DoubleResponse {
  const picture = { url: `${url.origin}/files/picture.png`, content_type: "image/png", width: 1, height: 1 };
  const job: FalJob = {
    id: randomUUID(),
    endpoint: url.pathname.slice(1),
    input: json,
    polls: 0,
    isCanceled: false,
    webhookUrl: url.searchParams.get("fal_webhook"),
    end: ends.shift() ?? { result: { status: 200, body: { images: [picture], seed: 1, has_nsfw_concepts: [false] } } },
  };
  jobs.set(job.id, job);
  return {
    status: 200,
    body: { status: "IN_QUEUE", queue_position: queuePositions.shift() ?? 3, ...describeJob(job, url) },
  };
}

function describeJob(job: FalJob, { origin }: URL) {
  const { id } = job;
  const path = `${origin}/${appOf(job)}/requests/${id}`;
  const urls = { response_url: `${path}/response`, status_url: `${path}/status`, cancel_url: `${path}/cancel` };
  return { request_id: id, gateway_request_id: id, ...urls };
}

const findState = ({ polls, isCanceled }: FalJob) => (isCanceled ? "COMPLETED" : states[Math.min(polls, 3) - 1]);

function answerStatus(job: FalJob, url: URL): DoubleResponse {
  job.polls += 1;
  const status = findState(job);
  const ended = { metrics: { inference_time: 1.5 }, error: job.end.error, error_type: job.end.errorType };
  const details = { IN_QUEUE: { queue_position: 0 }, IN_PROGRESS: { logs: null }, COMPLETED: ended };
  const name = status === "COMPLETED" ? (job.end.state ?? status) : status;
  const body = { ...describeJob(job, url), ...details[status!], status: name };
  return { status: status === "COMPLETED" ? 200 : 202, body };
}

function answerResult(job: FalJob): DoubleResponse {
  if (findState(job) !== "COMPLETED") return { status: 400, body: { detail: "Request is still in progress" } };
  return job.end.result;
}

function cancelJob(job: FalJob): DoubleResponse {
  if (findState(job) === "COMPLETED") return { status: 400, body: { status: "ALREADY_COMPLETED" } };
  const errorType = "client_cancelled";
  const body = { detail: "Request was cancelled", error_type: errorType };
  Object.assign(job, { isCanceled: true, end: { errorType, result: { status: 499, body } } });
  return { status: 202, body: { status: "CANCELLATION_REQUESTED" } };
}

function answerPrices(endpoints: string[]): DoubleResponse {
  const prices = endpoints
    .filter((endpoint) => endpoint.startsWith("fal-ai/"))
    .map((endpoint_id) => ({ endpoint_id, unit_price: 0.003, unit: "megapixels", currency: "USD" }));
  return { status: 200, body: { prices, next_cursor: null, has_more: false } };
}
