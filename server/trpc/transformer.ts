/** A value as it is sent, in the same member as by superjson. */
export interface SentValue {
  json?: unknown;
}

/**
 * Sends inputs, outputs and errors of the console's calls as plain JSON; an undefined one as no member. superjson fails for
 * members such as `constructor`, and customers choose the names in their inputs.
 */
export const transformer = {
  serialize: (value: unknown): SentValue => ({ json: value }),
  deserialize: (sent: SentValue | null): unknown => sent?.json,
};
