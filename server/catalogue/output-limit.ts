import { memoizePer } from "../lib/memoize-per";

/** The members of a chat by which servers take the limit of output tokens; OpenAI's newer models reject the older name. */
export const outputLimits = ["max_tokens", "max_completion_tokens"] as const;
export type OutputLimit = (typeof outputLimits)[number];

/** OpenAI's models that reject `max_tokens`: o1 and later, GPT-5 and later, also as `openai/gpt-5`. */
const NEWER_OPENAI_MODEL = /^(?:.*\/)?(?:o[1-9]|gpt-(?:[5-9]|\d{2}))(?![a-z0-9])/i;
/** Accepts the newer name for all of its models; the older one is deprecated there. */
const OPENAI_HOST = "api.openai.com";
/** Hosts that accept the older name for every model and translate it themselves. */
const TRANSLATING_HOSTS = ["openrouter.ai"];

interface HostedRoute {
  provider: { baseUrl: string | null };
}

const findHost = memoizePer(({ baseUrl }: HostedRoute["provider"]): string =>
  baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "",
);

/** Returns how a route takes the limit of output tokens: as the catalogue says, or as its host and model are known to. */
export const chooseOutputLimit = (
  route: HostedRoute & { outputLimit: OutputLimit | null },
  upstreamModel: string,
): OutputLimit => route.outputLimit ?? findKnownLimit(route, upstreamModel);

/** Returns how the host and the model of a route take the limit, whatever the catalogue says. */
export function findKnownLimit({ provider }: HostedRoute, upstreamModel: string): OutputLimit {
  const host = findHost(provider);
  if (host === OPENAI_HOST) return "max_completion_tokens";
  if (TRANSLATING_HOSTS.includes(host)) return "max_tokens";
  return NEWER_OPENAI_MODEL.test(upstreamModel) ? "max_completion_tokens" : "max_tokens";
}
