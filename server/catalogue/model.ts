import type { Nano } from "../lib/money";

/** What a provider can be. All but `worker`, whose jobs are pulled, have an implementation in providers/registry.ts. */
export const providerKinds = ["openai", "sandbox", "worker"] as const;
export type ProviderKind = (typeof providerKinds)[number];

export type JsonSchema = {
  type: "object";
  required?: string[];
  properties: Record<string, Record<string, unknown>>;
} & Record<string, unknown>;

/** The first tier whose `match` agrees with the input gives the price. */
export interface Tier {
  match: Record<string, unknown>;
  priceUsd: Nano;
}

export type Pricing =
  | { by: "tier"; tiers: Tier[] }
  /** EUR for a million tokens. */
  | {
      by: "token";
      inputPerMillion: Nano;
      outputPerMillion: Nano;
      contextLength: number | null;
      maxOutputTokens: number;
    }
  /** EUR for a second of GPU time; the estimate is the price of `maxSeconds`. */
  | { by: "gpu-second"; pricePerSecond: Nano; maxSeconds: number };

/** One way to serve a model. */
export interface Route {
  /** Stands in attempts and logs: `<provider id>:<upstream model>`. */
  id: string;
  provider: ProviderSettings;
  upstreamModel: string | null;
  /** Our parameter name to the upstream's. */
  rename: Record<string, string>;
  /** Parameter name to the values this route can express; other parameters pass freely. */
  accepts: Record<string, unknown[]>;
  /** Values of the parameters that a customer leaves out, as the model's schema promises them. */
  defaults: Record<string, unknown>;
  /** Chat fields that are answered with 400. */
  refuse: string[];
}

export interface ProviderSettings {
  id: string;
  kind: ProviderKind;
  baseUrl: string | null;
  /** Null when it needs none. */
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
  /** A running job is given up after this. */
  timeoutSeconds: number;
  /** In order of preference; without those of providers whose key is not set. Empty: nobody can serve it now. */
  routes: Route[];
}

/** A model of a catalogue in force. */
export interface OfferedModel extends Model {
  /** When a catalogue with a model of this id was first in force. */
  firstOfferedAt: Date;
}

/** What the hub offers: models by id, in the order in which they are listed. */
export type Catalogue = ReadonlyMap<string, OfferedModel>;
