import type { Nano } from "../lib/money";
import type { OutputLimit } from "./output-limit";
import type { Match, Pricing, TokenPriceList } from "./pricing";
import type { ProviderKind } from "./provider-kinds";

export type { ProviderKind };

/**
 * How a provider gets a file parameter: as a signed link, uploaded to its store, or as a data URI; `read` by the provider's
 * own code.
 */
export const inputModes = ["link", "upload", "inline", "read"] as const;
export type InputMode = (typeof inputModes)[number];

export type JsonSchema = {
  type: "object";
  required?: string[];
  properties: Record<string, Record<string, unknown>>;
} & Record<string, unknown>;

/**
 * How a value is written for upstream: as a string, as a number, as the members of a mapping instead of one (`members`), a
 * list's first item under another name (`first`), or its items as `name`, `name_2`, `name_3` (`numbered`).
 */
export type Conversion = { to: "string" | "number" | "members" } | { to: "first" | "numbered"; name: string };

/** A ComfyUI workflow in its API format, and where parameters and outputs are in it. */
export interface Workflow {
  nodes: Record<string, { class_type: string; inputs: Record<string, unknown> } & Record<string, unknown>>;
  /** The node and input of each parameter, such as `["6", "text"]`; items of a list by `name.0`. */
  bind: Record<string, [node: string, input: string]>;
  /** The nodes whose outputs count; null for all. */
  outputs: string[] | null;
}

/** One way to serve a model. */
export interface Route {
  /** Identifies the route in attempts and logs: `<id of the provider's settings>:<upstream model>`. */
  id: string;
  /** Its place among the routes that the catalogue lists; the keys of a provider share it. */
  entry: number;
  provider: ProviderSettings;
  upstreamModel: string | null;
  /** Another upstream model or price for inputs that match; of each, the first match that has one wins. */
  when: { match: Match; upstreamModel: string | null; priceUsd: Nano | null }[];
  /** Maps the model's parameter names to upstream's. */
  rename: Record<string, string>;
  /** Upstream's values of a parameter, by the JSON text of the model's value; without an entry the value stays. */
  values: Record<string, Map<string, unknown>>;
  /** How values are converted, by parameter. */
  as: Record<string, Conversion>;
  /** Members that are added to every input, by upstream's names. */
  set: Record<string, unknown>;
  /** Values that the route supports, by parameter; other parameters are not limited. */
  accepts: Record<string, unknown[]>;
  /** Default values of the model's schema, for parameters that the customer omits. */
  defaults: Record<string, unknown>;
  /** Chat fields that are rejected with 400. */
  refuse: string[];
  /** How upstream takes the output limit of a chat; null to choose by its host and model. */
  outputLimit: OutputLimit | null;
  /** Whether upstream has OpenAI's Responses, which then get their client's request. */
  responses: boolean;
  /** Whether upstream's model takes one system message only, at the beginning of a chat. */
  singleSystem: boolean;
  /** How file parameters reach the provider; null to choose by the kind and the hub's address. */
  inputs: InputMode | null;
  /** What the provider takes for one unit of the model's price, in USD; null for the model's price before the margin. */
  priceUsd: Nano | null;
  /** What the provider takes for tokens; null for the model's prices. */
  tokenCosts: TokenPriceList | null;
  /** The share of the work that its entry gets if the model's routing is `balanced`. */
  weight: number;
  /** How often work that failed after it began is submitted, and paid, again. */
  retryStarted: number;
  /** What follows an answer that was lost: `retry` buys the work once more on another route, at the operator's risk. */
  onUnknown: "fail" | "retry";
  /** What follows a chat that failed with a 5xx before its answer began; `next` tries the next route. */
  onError: "fail" | "next";
  /** The day on which upstream stops serving it (YYYY-MM-DD). */
  retiresAt: string | null;
  /** For kind `comfyui`. */
  workflow: Workflow | null;
}

/** A provider with one of its keys. */
export interface ProviderSettings {
  /** Its id in the catalogue; if it has several keys, `<that id>@<variable of the key>`. */
  id: string;
  catalogueId: string;
  kind: ProviderKind;
  /** Where its API is, without a trailing slash; null if the kind has none. */
  baseUrl: string | null;
  /** Whether the catalogue names that address, so that the operator trusts it. */
  hasOwnBaseUrl: boolean;
  /** Null if it needs none. */
  apiKey: string | null;
  /** The variable that the key is read from; null if the setting is not exactly one variable. */
  keyVariable: string | null;
  /** The share of the provider's work that this key gets. */
  keyWeight: number;
  /** Whether the key gets no new work, and only finishes what was submitted with it. */
  isRetired: boolean;
  /** Variables of the environment that it needs and that are not set: its routes cannot be used. */
  missing: string[];
  /** How many attempts may run at once; null for no limit. */
  maxInFlight: number | null;
  /** How many attempts may begin in any minute. */
  perMinute: number | null;
  /** What its attempts may cost on one day (UTC), in USD. */
  spendLimitPerDay: Nano | null;
}

/** Routes in their order, the cheapest or the fastest first, or so that each gets a share of the work. */
export const routings = ["order", "cheapest", "fastest", "balanced"] as const;
export type Routing = (typeof routings)[number];

export interface Model {
  id: string;
  name: string;
  description: string | null;
  membersOnly: boolean;
  /** Whether pictures, videos and sounds that it makes are marked as generated. */
  marksOutputs: boolean;
  isLlm: boolean;
  inputModalities: string[];
  outputModalities: string[];
  parametersSchema: JsonSchema;
  pricing: Pricing;
  supports: { vision: boolean; tools: boolean; structuredOutput: boolean; reasoning: boolean };
  /** A running job fails after this time. */
  timeoutSeconds: number;
  /** In order of preference. Without one whose provider has its variables, the model is unavailable. */
  routes: Route[];
  /** In which order routes are tried. */
  routing: Routing;
}

/** Returns whether a model is priced by tokens and computes vectors instead of text. */
export const isEmbeddingModel = ({ isLlm, outputModalities }: Model): boolean =>
  isLlm && outputModalities.includes("embedding");

/** A model of the current catalogue. */
export interface OfferedModel extends Model {
  /** When the hub first offered a model with this id. */
  firstOfferedAt: Date;
}

/** The models on offer by id, in the order of lists. */
export type Catalogue = ReadonlyMap<string, OfferedModel>;
