import { z } from "zod";
import { inputModes } from "./model";
import { outputLimits } from "./output-limit";
import { TokenPriceList } from "./shape-tokens";
import { ByName, Id, Match, Name, Price, text, Weight } from "./shape-values";

const MAX_RETRIES = 5;
/** `string`, `number`, `members`, `first(name)` or `numbered(name)`. */
export const CONVERSION = /^(?:(string|number|members)|(first|numbered)\(([A-Za-z][\w.-]{0,127})\))$/;
/** A node of a workflow and one of its inputs. */
export const PLACE = /^([^.\s]+)\.(\S.*)$/;

const UpstreamModel = text(500).regex(/^(?!.*\$\{)/, "variables are supported only in providers");

/** Schema of a route. */
export const Route = z.strictObject({
  provider: Id,
  upstream_model: UpstreamModel.optional(),
  when: z
    .array(z.strictObject({ match: Match, upstream_model: UpstreamModel.optional(), price_usd: Price.optional() }))
    .default([]),
  rename: z.record(z.string(), Name).default({}),
  values: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  as: z
    .record(z.string(), z.string().regex(CONVERSION, "must be string, number, members, first(name) or numbered(name)"))
    .default({}),
  set: ByName.default({}),
  accepts: z.record(z.string(), z.array(z.unknown())).default({}),
  refuse: z.array(text(128)).default([]),
  output_limit: z.enum(outputLimits).optional(),
  responses: z.boolean().optional(),
  single_system: z.boolean().default(false),
  inputs: z.enum(inputModes).optional(),
  price_usd: Price.optional(),
  llm_cost: TokenPriceList.optional(),
  weight: Weight.default(1),
  retry_started: z.int().min(0).max(MAX_RETRIES).optional(),
  on_unknown: z.enum(["fail", "retry"]).default("fail"),
  on_error: z.enum(["fail", "next"]).optional(),
  retires_at: z.iso.date("must be a date such as 2026-12-01").optional(),
  workflow: z
    .union([text(1_000), z.record(z.string(), z.unknown())], { error: "must be a mapping of nodes, or a file name" })
    .optional(),
  bind: z.record(z.string(), z.string().regex(PLACE, 'must be a node and an input, such as "6.text"')).default({}),
  outputs: z.array(text(200)).min(1).optional(),
});

export type RouteEntry = z.output<typeof Route>;
