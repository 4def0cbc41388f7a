import pino from "pino";
import type { Env } from "../env";

export type Logger = pino.Logger;

/** Returns a logger that writes JSON lines to stderr; stdout is for what commands print for people and scripts. */
export const createLog = (env: Pick<Env, "LOG_LEVEL">): Logger =>
  pino(
    { level: env.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
