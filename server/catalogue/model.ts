import type { Nano } from "../lib/money";

/** Kinds of provider. All except `worker`, whose jobs are pulled, have an implementation in providers/registry.ts. */
export const providerKinds = ["openai", "sandbox", "worker"] as const;
export type ProviderKind = (typeof providerKinds)[number];

export type JsonSchema = {
  type: "object";
  required?: string[];
  properties: Record<string, Record<string, unknown>>;
} & Record<string, unknown>;

/** The first tier that matches the input sets the price. */
export interface Tier {
  match: Record<string, unknown>;
  priceUsd: Nano;
}

export type Pricing =
  | { by: "tier"; tiers: Tier[] }
  /** EUR per million tokens. */
  | {
      by: "token";
      inputPerMillion: Nano;
      outputPerMillion: Nano;
      contextLength: number | null;
      maxOutputTokens: number;
    }
  /** EUR per second of GPU time; the estimate is the price of `maxSeconds`. */
  | { by: "gpu-second"; pricePerSecond: Nano; maxSeconds: number };

/** One way to serve a model. */
export interface Route {
  /** Identifies the route in attempts and logs: `<provider id>:<upstream model>`. */
  id: string;
  provider: ProviderSettings;
  upstreamModel: string | null;
  /** Maps parameter names of the model to those of the upstream. */
  rename: Record<string, string>;
  /** Values that the route supports, by parameter; other parameters are not limited. */
  accepts: Record<string, unknown[]>;
  /** Default values of the model's schema, for parameters that the customer omits. */
  defaults: Record<string, unknown>;
  /** Chat fields that are rejected with 400. */
  refuse: string[];
}

export interface ProviderSettings {
  id: string;
  kind: ProviderKind;
  baseUrl: string | null;
  /** Null if it needs none. */
  apiKey: string | null;
}

export interface Model {
  id: string;
  name: string;
  description: string | null;
  membersOnly: boolean;
  isLlm: boolean;
  inputModalities: string[];
  outputModalities: string[];
  parametersSchema: JsonSchema;
  pricing: Pricing;
  supports: { vision: boolean; tools: boolean; structuredOutput: boolean; reasoning: boolean };
  /** A running job fails after this time. */
  timeoutSeconds: number;
  /** In order of preference, without routes of providers whose variables are not set. If empty, the model is unavailable. */
  routes: Route[];
}

/** A model of the current catalogue. */
export interface OfferedModel extends Model {
  /** When the hub first offered a model with this id. */
  firstOfferedAt: Date;
}

/** The models on offer by id, in the order of lists. */
export type Catalogue = ReadonlyMap<string, OfferedModel>;
