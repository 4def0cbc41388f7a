import type { Account, WebhookSecret } from "replicate";
import { type Double, type DoubleRequest, type DoubleResponse, openDouble } from "../double";
import type { Callback } from "../callbacks";
import { type CallbackMode, createSecret, sendCallback, type SentCallback, signCallback } from "./callbacks";
import { respondToFiles, type StoredFile } from "./files";
import { getModel, notFound, problem, rejectSubmit } from "./models";
import { deliver, type OutcomeName } from "./outcomes";
import {
  advancePrediction,
  createPrediction,
  endPrediction,
  listPredictions,
  type PredictionSettings,
  showPrediction,
  type StoredPrediction,
} from "./predictions";

export interface ReplicateDouble extends Double {
  /** The base URL of its API. */
  base: string;
  /** Oldest first. */
  predictions: StoredPrediction[];
  files: Map<string, StoredFile>;
  /** Callbacks that were sent, oldest first. */
  callbacks: SentCallback[];
  /** How it behaves from now on. */
  settings: PredictionSettings & {
    callbacks: CallbackMode;
    /** Whether predictions show their webhook. */
    showsWebhooks: boolean;
    pageSize: number;
    /** The `Retry-After` with which it rejects every read of its API; 0 while it rejects none. */
    throttledSeconds: number;
    /** The keys that it accepts, each of an account of its own. */
    keys: string[];
    /** The account's secret for webhooks. */
    secret: string;
  };
  /** Sets how the next predictions end, one each; all others make a picture. */
  setOutcomes(...names: OutcomeName[]): void;
  /** Ends all predictions as after a while, and sends their callbacks. */
  endAll(minAgeMs?: number): Promise<void>;
  /** Ends the last prediction, and returns its callback. */
  endLast(): Callback;
  /** Moves its clock forward; otherwise it follows the real one. */
  advance(seconds: number): void;
}

const account: Account = { type: "organization", username: "acme", name: "Acme, Inc." };

const KEY = "test-key-0123456789";

/** Opens a server that speaks Replicate's API as documented, with the tests' key unless `settings.keys` has others. */
export async function openReplicateDouble(clock: { now?: () => Date } = {}): Promise<ReplicateDouble> {
  const predictions: StoredPrediction[] = [];
  const files = new Map<string, StoredFile>();
  const callbacks: SentCallback[] = [];
  let ahead = 0;
  const now = () => new Date((clock.now?.().getTime() ?? Date.now()) + ahead);
  const settings: ReplicateDouble["settings"] = {
    now,
    statuses: ["processing"],
    outcomes: [],
    callbacks: "sent",
    showsWebhooks: true,
    pageSize: 100,
    throttledSeconds: 0,
    keys: [KEY],
    secret: createSecret(),
  };

  const show = (prediction: StoredPrediction) => {
    const { webhook, ...shown } = showPrediction(prediction, double.base, now());
    return settings.showsWebhooks ? { ...shown, webhook } : shown;
  };
  /** Moves a prediction on, and sends its callback if that has ended it. */
  const move = async (prediction: StoredPrediction, change: (prediction: StoredPrediction) => void) => {
    const hadEnded = prediction.completedAt !== null;
    change(prediction);
    const { webhook, completedAt, webhook_events_filter: filter } = prediction;
    if (hadEnded || !completedAt || !webhook || (filter && !filter.includes("completed"))) return;
    const { secret, callbacks: mode } = settings;
    callbacks.push(...(await sendCallback(webhook, show(prediction), { secret, mode, now: now() })));
  };
  const end = (prediction: StoredPrediction) => move(prediction, (one) => endPrediction(one, one.outcome, now()));

  const submit = async (request: DoubleRequest): Promise<DoubleResponse> => {
    const prediction = { ...createPrediction(request, settings), key: readKey(request)! };
    predictions.push(prediction);
    if (request.headers.prefer !== undefined) await end(prediction);
    const response = { status: 201, body: show(prediction) };
    if (settings.callbacks === "early") await end(prediction);
    return response;
  };
  const isAuthorized = (request: DoubleRequest) => settings.keys.includes(readKey(request) ?? "");
  const ownPredictions = (request: DoubleRequest) => predictions.filter(({ key }) => key === readKey(request));
  const respondToPrediction = async (request: DoubleRequest, id: string, action?: string): Promise<DoubleResponse> => {
    const { method } = request;
    const prediction = ownPredictions(request).find((one) => one.id === id);
    if (!prediction || (method === "POST") !== (action === "cancel")) return notFound;
    await move(prediction, (one) =>
      action ? endPrediction(one, { status: "canceled" }, now()) : advancePrediction(one, now()),
    );
    return { status: 200, body: show(prediction) };
  };
  const respondToResource = async (request: DoubleRequest): Promise<DoubleResponse> => {
    const { method, url } = request;
    const { throttledSeconds } = settings;
    if (throttledSeconds > 0)
      return { status: 429, headers: { "retry-after": `${throttledSeconds}` }, body: errors[429] };
    const path = url.pathname.replace(/^\/v1/, "");
    if (/^\/files(\/|$)/.test(path)) return respondToFiles(request, files, { base: double.base, now: now() });
    const [, id, action] = /^\/predictions\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (id) return respondToPrediction(request, id, action);
    const secret: WebhookSecret = { key: settings.secret };
    const resources: Record<string, () => unknown> = {
      "/predictions": () => listPredictions(ownPredictions(request), url, settings.pageSize, show),
      "/account": () => account,
      "/webhooks/default/secret": () => secret,
    };
    if (method !== "GET") return notFound;
    return resources[path] ? { status: 200, body: resources[path]() } : getModel(path);
  };
  const respond = async (request: DoubleRequest): Promise<DoubleResponse> => {
    const [, file] = /^\/delivery\/\w+\/([\w.]+)$/.exec(request.url.pathname) ?? [];
    // Nobody but the API may get the key.
    if (file) return request.headers.authorization ? problem(400, "Bad request", "A key was sent.") : deliver(file);
    if (!isAuthorized(request)) return unauthenticated;
    return isSubmit(request) ? (rejectSubmit(request) ?? submit(request)) : respondToResource(request);
  };

  const server = await openDouble({
    isSubmit: (request) => isSubmit(request) && isAuthorized(request) && rejectSubmit(request) === null,
    isOutput: ({ url }) => url.pathname.startsWith("/delivery/"),
    respond,
    describeError: (status) => errors[status] ?? { detail: "An unexpected error occurred.", status },
  });
  const double: ReplicateDouble = Object.assign(server, {
    base: `${server.url}/v1`,
    predictions,
    files,
    callbacks,
    settings,
    setOutcomes: (...names: OutcomeName[]) => void settings.outcomes.push(...names),
    endAll: async (minAgeMs = 0) => {
      const createdBefore = now().getTime() - minAgeMs;
      const isOpen = (one: StoredPrediction) => !one.completedAt && one.createdAt.getTime() <= createdBefore;
      await Promise.all(predictions.filter(isOpen).map(end));
    },
    endLast: () => {
      const last = predictions.at(-1)!;
      endPrediction(last, last.outcome, now());
      return signCallback(last.webhook!, show(last), settings.secret, now());
    },
    advance: (seconds: number) => void (ahead += seconds * 1000),
  });
  return double;
}

const isSubmit = ({ method, url }: DoubleRequest): boolean =>
  method === "POST" && /^\/v1\/((models|deployments)\/[^/]+\/[^/]+\/)?predictions$/.test(url.pathname);

const readKey = ({ headers }: DoubleRequest): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];

const unauthenticated = problem(401, "Unauthenticated", "You did not pass a valid authentication token");

/** The bodies of errors, as Replicate writes them. */
const errors: Record<number, unknown> = {
  401: unauthenticated.body,
  402: {
    title: "Insufficient credit",
    status: 402,
    detail:
      "You have insufficient credit to run this model. Go to https://replicate.com/account/billing#billing to purchase credit.",
  },
  404: notFound.body,
  422: {
    title: "Input validation failed",
    status: 422,
    detail: "- input: prompt is required\n",
    invalid_fields: [{ type: "required", field: "input", description: "prompt is required" }],
  },
  429: { detail: "Request was throttled. Your rate limit resets in ~30s.", status: 429 },
};
