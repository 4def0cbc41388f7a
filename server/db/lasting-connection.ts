import type pg from "pg";

/** The time-out of a statement. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The time-out of a statement that is declared as long. */
export const LONG_ANSWER_TIMEOUT_MS = 3_600_000;

/** Returns options of a connection that stays open, so that nothing waits forever when its server falls silent. */
export const lastingConnection = (answerTimeoutMs = ANSWER_TIMEOUT_MS) =>
  ({
    connectionTimeoutMillis: 5_000,
    query_timeout: answerTimeoutMs,
    // By default, the system probes an idle connection only after two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }) satisfies pg.ClientConfig;

/**
 * Returns the response to a statement on `client`. Ends the connection when none came in time, because what is sent on
 * it next would get none either.
 */
export async function answerOrEnd<T>(client: pg.Client, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isAnswerTimeout(error)) void client.end().catch(() => undefined);
    throw error;
  }
}

// The driver gives this error no code.
const isAnswerTimeout = (error: unknown): boolean => error instanceof Error && error.message === "Query read timeout";
