import { z } from "zod";
import { type Cron, parseCron } from "./cron";
import { parseDueTime } from "./due-time";
import { type Condition, parseCondition, parsePath } from "./expression";

/** The options of a function that the engine uses. */
export interface FunctionConfig {
  id: string;
  /** How often one step is attempted. */
  maxAttempts: number;
  events: { name: string; condition: Condition }[];
  crons: { expression: string; next: Cron }[];
  /** How many of its jobs execute at once, for each value of an event at the path. */
  concurrency: { path: string[] | null; max: number };
  /** Path of the value of an event that starts at most one run in 24 hours. */
  dedupePath: string[] | null;
  cancels: { event: string; expression: string; timeout: string | null }[];
}

const UNLIMITED = 2 ** 31 - 1;
const DEFAULT_RETRIES = 3;

const Limit = z.strictObject({ key: z.string().optional(), limit: z.int().min(1), scope: z.literal("fn").optional() });
const Trigger = z.union([
  z.strictObject({ event: z.string().min(1), expression: z.string().optional() }),
  z.strictObject({ cron: z.string() }),
]);
const Config = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  triggers: z.array(Trigger),
  steps: z.strictObject({
    step: z.object({ retries: z.strictObject({ attempts: z.int().min(0).optional() }).optional() }),
  }),
  idempotency: z.string().optional(),
  concurrency: z.union([z.int().min(1), Limit, z.array(Limit).length(1)]).optional(),
  cancel: z
    .array(z.strictObject({ event: z.string(), if: z.string().optional(), timeout: z.string().optional() }))
    .default([]),
});

/** Parses a function's registration. Throws an error with its id on an option that the engine does not support. */
export function parseFunctionConfig(registration: unknown): FunctionConfig {
  const { id } = z.object({ id: z.string() }).parse(registration);
  try {
    return toFunctionConfig(Config.parse(registration));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`function ${id} cannot run on the embedded engine: ${reason}`, { cause: error });
  }
}

function toFunctionConfig(config: z.infer<typeof Config>): FunctionConfig {
  const { id, triggers, steps, idempotency, concurrency, cancel } = config;
  const limit = typeof concurrency === "number" ? { limit: concurrency } : [concurrency].flat()[0];
  return {
    id,
    maxAttempts: 1 + (steps.step.retries?.attempts ?? DEFAULT_RETRIES),
    events: triggers.flatMap((trigger) =>
      "event" in trigger ? { name: trigger.event, condition: parseOptionalCondition(trigger.expression) } : [],
    ),
    crons: triggers.flatMap((trigger) =>
      "cron" in trigger ? { expression: trigger.cron, next: parseCron(trigger.cron) } : [],
    ),
    concurrency: {
      path: limit && "key" in limit && limit.key !== undefined ? parsePath(limit.key) : null,
      max: limit?.limit ?? UNLIMITED,
    },
    dedupePath: idempotency === undefined ? null : parsePath(idempotency),
    cancels: cancel.map(({ event, if: expression = "", timeout = null }) => {
      // Parsed now for their errors, and again for each event.
      parseOptionalCondition(expression);
      if (timeout !== null) parseDueTime(timeout, new Date(0));
      return { event, expression, timeout };
    }),
  };
}

/** Parses the expression of a trigger or a wait; an absent one always matches. */
export const parseOptionalCondition = (expression = ""): Condition =>
  expression === "" ? [] : parseCondition(expression);
