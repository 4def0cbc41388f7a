import pino from "pino";
import type { Env } from "../env";

export type Logger = pino.Logger;

/** JSON lines on stderr; stdout belongs to what a command prints for people and scripts. */
export const createLog = (env: Pick<Env, "LOG_LEVEL">): Logger =>
  pino(
    { level: env.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
