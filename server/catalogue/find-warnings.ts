import { providers } from "../providers/registry";
import type { Model, Route } from "./model";
import { findCostWarnings } from "./find-cost-warnings";
import { findKnownLimit } from "./output-limit";

const DAY_MS = 86_400_000;
const RETIREMENT_NOTICE_DAYS = 60;

interface WarningOptions {
  /** The current time by default. */
  now?: Date;
  /** Whether the catalogue says that its prices are what providers take. */
  hasMargin: boolean;
}

/** Returns valid settings of a model that may not be intended, one sentence each. */
export function findWarnings(model: Model, { now = new Date(), hasMargin }: WarningOptions): string[] {
  const { id, routes, pricing } = model;
  const tiers = pricing.by === "tier" ? pricing.tiers : [];
  const catchAll = tiers.findIndex(({ match }) => Object.keys(match).length === 0);
  const name = pricing.by === "tier" && pricing.unit ? "pricing.tiers" : "pricing_tiers";
  return [
    ...(routes.length === 0 ? [`model ${id} has no routes, so it is unavailable`] : []),
    ...(catchAll >= 0 && catchAll < tiers.length - 1
      ? [`model ${id}: ${name}[${catchAll}] matches everything, so later tiers are never used`]
      : []),
    ...findUnpricedAudio(model),
    // The routes of an entry differ only in the provider's key, which no warning concerns.
    ...[...new Map(routes.map((route) => [route.entry, route])).values()].flatMap((route) =>
      [
        ...findKindWarnings(model, route),
        ...findRetirement(route, now),
        ...findUnknownCost(model, route, hasMargin),
        ...findRefusedLimit(model, route),
        ...findCostWarnings(model, route),
      ].map((message) => `model ${id}: routes[${route.entry}] ${message}`),
    ),
  ];
}

/** Audio costs ten times as much as text, so that requests with audio are rejected while it has no price. */
function findUnpricedAudio({ id, pricing, inputModalities, outputModalities }: Model): string[] {
  if (pricing.by !== "token") return [];
  const { audio_input, audio_output } = pricing.perMillion;
  return [
    ...(inputModalities.includes("audio") && audio_input === undefined ? ["audio_input"] : []),
    ...(outputModalities.includes("audio") && audio_output === undefined ? ["audio_output"] : []),
  ].map((name) => `model ${id}: llm has no ${name}_cost_per_million, so requests with audio are rejected`);
}

function findKindWarnings({ isLlm }: Model, { provider: { kind }, inputs }: Route): string[] {
  if (kind === "worker") return [];
  const provider = providers[kind];
  if (!(isLlm ? provider?.chat : provider?.submit))
    return [`is never used: kind ${kind} serves no ${isLlm ? "text models" : "models of this price"}`];
  const { inputModes = ["read"] } = provider!;
  if (inputs === null || inputModes.includes(inputs)) return [];
  return [`has inputs ${inputs}, which kind ${kind} does not support: use ${inputModes.join(" or ")}`];
}

function findRefusedLimit({ isLlm }: Model, route: Route): string[] {
  const { upstreamModel, outputLimit } = route;
  if (!isLlm || outputLimit !== "max_tokens" || findKnownLimit(route, upstreamModel ?? "") === outputLimit) return [];
  return [`sends max_tokens, which ${upstreamModel} refuses or will: remove output_limit`];
}

function findRetirement({ retiresAt }: Route, now: Date): string[] {
  if (retiresAt === null) return [];
  const days = Math.ceil((Date.parse(retiresAt) - now.getTime()) / DAY_MS);
  if (days > RETIREMENT_NOTICE_DAYS) return [];
  return [days > 0 ? `retires on ${retiresAt}, in ${days} ${days === 1 ? "day" : "days"}` : `retired on ${retiresAt}`];
}

function findUnknownCost({ pricing }: Model, { provider, priceUsd }: Route, hasMargin: boolean): string[] {
  if (pricing.by !== "tier" || priceUsd !== null || hasMargin || provider.kind === "sandbox") return [];
  return ["has no price_usd, so the model's price counts as its cost: add it, or a margin to the catalogue"];
}
