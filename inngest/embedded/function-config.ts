import { z } from "zod";
import { parseCron, type Schedule } from "./cron";
import { type Condition, parseCondition, parsePath } from "./expression";

/** The options of a function that the engine uses. */
export interface FunctionConfig {
  id: string;
  /** How many times a step is attempted. */
  maxAttempts: number;
  /** The names of the events that start it. */
  events: string[];
  crons: Schedule[];
  /** How many of its jobs execute at once for each value that events have at the path. */
  concurrency: { path: string[] | null; max: number };
  cancels: { event: string; expression: string }[];
}

const UNLIMITED = 2 ** 31 - 1;
const DEFAULT_RETRIES = 3;

const Limit = z.strictObject({ key: z.string().optional(), limit: z.int().min(1) });
const Trigger = z.union([z.strictObject({ event: z.string().min(1) }), z.strictObject({ cron: z.string() })]);
const Config = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  triggers: z.array(Trigger),
  steps: z.strictObject({
    step: z.object({ retries: z.strictObject({ attempts: z.int().min(0).optional() }).optional() }),
  }),
  concurrency: z.array(Limit).length(1).optional(),
  cancel: z.array(z.strictObject({ event: z.string(), if: z.string().optional() })).default([]),
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
  const { id, triggers, steps, concurrency, cancel } = config;
  const limit = concurrency?.[0];
  return {
    id,
    maxAttempts: 1 + (steps.step.retries?.attempts ?? DEFAULT_RETRIES),
    events: triggers.flatMap((trigger) => ("event" in trigger ? trigger.event : [])),
    crons: triggers.flatMap((trigger) => ("cron" in trigger ? parseCron(trigger.cron) : [])),
    concurrency: {
      path: limit?.key === undefined ? null : parsePath(limit.key),
      max: limit?.limit ?? UNLIMITED,
    },
    cancels: cancel.map(({ event, if: expression = "" }) => {
      // Parsed now for its errors, and again for each event.
      parseOptionalCondition(expression);
      return { event, expression };
    }),
  };
}

/** Parses the expression of a wait or a cancellation; an absent one always matches. */
export const parseOptionalCondition = (expression = ""): Condition =>
  expression === "" ? [] : parseCondition(expression);
