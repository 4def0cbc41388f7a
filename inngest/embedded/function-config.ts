import { z } from "zod";
import { type Cron, parseCron } from "./cron";
import { dueAt } from "./due";
import { type Condition, parseCondition, parsePath } from "./expression";

/** What the engine knows of a function. */
export interface FunctionConfig {
  id: string;
  /** Most tries of one step. */
  tries: number;
  events: { name: string; condition: Condition }[];
  crons: { expression: string; next: Cron }[];
  /** At most this many of its jobs execute at once, for each value at the path. */
  lane: { path: string[] | null; most: number };
  /** Path of the value that starts one run a day. */
  once: string[] | null;
  cancels: { event: string; expression: string; timeout: string | null }[];
}

const MAX_AT_ONCE = 2 ** 31 - 1;
const USUAL_RETRIES = 3;

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

/** Reads a function's registration. Throws, with its id, on whatever the engine would not honour. */
export function parseFunctionConfig(registration: unknown): FunctionConfig {
  const { id } = z.object({ id: z.string() }).parse(registration);
  try {
    return compile(Config.parse(registration));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`function ${id} cannot run on the embedded engine: ${why}`, { cause: error });
  }
}

function compile({ id, triggers, steps, idempotency, concurrency, cancel }: z.infer<typeof Config>): FunctionConfig {
  const limit = typeof concurrency === "number" ? { limit: concurrency } : [concurrency].flat()[0];
  return {
    id,
    tries: 1 + (steps.step.retries?.attempts ?? USUAL_RETRIES),
    events: triggers.flatMap((trigger) =>
      "event" in trigger ? { name: trigger.event, condition: condition(trigger.expression) } : [],
    ),
    crons: triggers.flatMap((trigger) =>
      "cron" in trigger ? { expression: trigger.cron, next: parseCron(trigger.cron) } : [],
    ),
    lane: {
      path: limit && "key" in limit && limit.key !== undefined ? parsePath(limit.key) : null,
      most: limit?.limit ?? MAX_AT_ONCE,
    },
    once: idempotency === undefined ? null : parsePath(idempotency),
    cancels: cancel.map(({ event, if: expression = "", timeout = null }) => {
      condition(expression);
      if (timeout !== null) dueAt(timeout, new Date(0));
      return { event, expression, timeout };
    }),
  };
}

/** An absent expression always holds. */
export const condition = (expression = ""): Condition => (expression === "" ? [] : parseCondition(expression));
