type Rule = "required" | "optional" | "none";

interface KindRules {
  /** Settings of a provider. An OpenAI-compatible server may work without a key. */
  base_url: Rule;
  api_key: Rule;
  /**
   * Whether a route must name one of the provider's models. A kind for which this is optional serves one model at most per
   * address.
   */
  upstream_model: "required" | "optional";
}

const vendor = { base_url: "optional", api_key: "required", upstream_model: "required" } as const;
const ownServer = { base_url: "required", api_key: "optional", upstream_model: "optional" } as const;
const builtIn = { base_url: "none", api_key: "none", upstream_model: "optional" } as const;

/** The kinds of provider. All except `worker`, whose jobs are pulled, have an implementation in providers/registry.ts. */
export const kindRules = {
  anthropic: vendor,
  bfl: vendor,
  cog: ownServer,
  comfyui: ownServer,
  fal: vendor,
  gemini: vendor,
  openai: { ...ownServer, upstream_model: "required" },
  replicate: vendor,
  sandbox: builtIn,
  worker: builtIn,
} as const satisfies Record<string, KindRules>;

export type ProviderKind = keyof typeof kindRules;
export const providerKinds = Object.keys(kindRules) as [ProviderKind, ...ProviderKind[]];
