import { z } from "zod";
import { findRangeIssue } from "../../lib/address-ranges";
import { isoTime } from "../../lib/iso-time";
import { KeyMetadataInput } from "../labels";

const MAX_MODELS = 100;
const MAX_RANGES = 50;

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .meta({ example: "server" });

const perMinute = (max: number) =>
  z
    .int("must be a whole number")
    .min(1, "must be at least 1; null is no limit")
    .max(max, `must be at most ${max}`)
    .nullish();

function checkRange(text: string, context: z.RefinementCtx): void {
  const issue = findRangeIssue(text);
  if (issue !== null) context.addIssue({ code: "custom", message: issue });
}

const limits = {
  expires_at: isoTime
    .transform((text) => new Date(text))
    .nullish()
    .meta({
      type: ["string", "null"],
      format: "date-time",
      description: "ISO 8601; null for a key that never expires",
    }),
  spend_limit: z
    .number()
    .positive("must be above zero")
    .max(1_000_000, "must be at most 1000000")
    .nullish()
    .meta({ description: "Maximum spend per period, in EUR; null for no limit", example: 5 }),
  spend_limit_reset: z
    .enum(["day", "month"])
    .nullish()
    .meta({ description: "When the spend limit resets, in UTC; null for a limit that never resets", example: "month" }),
  allowed_models: z
    .array(z.string().min(1).max(200))
    .min(1, "must name at least one model; null allows all")
    .max(MAX_MODELS, `must have at most ${MAX_MODELS} models`)
    .nullish()
    .meta({ description: "Ids of the models that the key may use; null for all", example: ["sandbox-image"] }),
  requests_per_minute: perMinute(1_000_000).meta({
    description: "Maximum requests in any 60 seconds; null for no limit beside the account's",
    example: 60,
  }),
  tokens_per_minute: perMinute(1_000_000_000).meta({
    description: "Maximum tokens of chats and embeddings in any 60 seconds; null for no limit",
    example: 100_000,
  }),
  allowed_ips: z
    .array(z.string().max(64).superRefine(checkRange))
    .min(1, "must have at least one address; null allows all")
    .max(MAX_RANGES, `must have at most ${MAX_RANGES} addresses`)
    .nullish()
    .meta({
      description: "IPv4 and IPv6 addresses or CIDR ranges from which the key may be used; null for all",
      example: ["203.0.113.0/24"],
    }),
};

const labels = {
  metadata: KeyMetadataInput,
  require_end_user: z.boolean().optional().meta({ description: "Reject generations without an end user" }),
  allow_high_priority: z
    .boolean()
    .optional()
    .meta({ description: "Whether its generations may have the priority `high`; by default they may" }),
  keeps_nothing: z
    .boolean()
    .optional()
    .meta({ description: "Whether the content of its generations is erased like that of `retention: none`" }),
};

/** The request body that creates a key. */
export const KeyInput = z
  .strictObject({
    name,
    require_idempotency: z
      .boolean()
      .optional()
      .meta({ description: "Reject create requests without an Idempotency-Key" }),
    ...limits,
    ...labels,
  })
  .meta({ id: "KeyRequest" });

/** The request body that changes a key. Absent members stay as they are. */
export const KeyPatch = z
  .strictObject({
    name: name.optional(),
    paused: z.boolean().optional().meta({ description: "Whether the key is rejected until it is resumed" }),
    ...limits,
    ...labels,
  })
  .meta({ id: "KeyPatch" });

/** The request body that rotates a key's secret. */
export const KeyRotation = z
  .strictObject({
    grace_hours: z
      .union([z.literal(0), z.literal(1), z.literal(24)], "must be 0, 1 or 24")
      .meta({ description: "How long the current secret stays valid beside the new one", example: 24 }),
  })
  .meta({ id: "KeyRotation" });
