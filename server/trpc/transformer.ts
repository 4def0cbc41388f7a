/** A value of the console's calls as it is sent: in the member that superjson has too. */
export interface SentValue {
  json?: unknown;
}

/**
 * How inputs, outputs and errors of the console's calls are sent: as JSON, which all of them are; a missing one as no
 * member. Not by superjson, which fails for members such as `constructor`, and customers choose the names in their inputs.
 */
export const transformer = {
  serialize: (value: unknown): SentValue => ({ json: value }),
  deserialize: (sent: SentValue | null): unknown => sent?.json,
};
