/** Returns whether a value of JSON is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value if it is an object; an empty one otherwise. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Returns a list with each of its objects replaced by `map`; any other value as it is. */
export const mapObjects = (value: unknown, map: (item: Record<string, unknown>) => Record<string, unknown>): unknown =>
  Array.isArray(value) ? value.map((item: unknown) => (isObject(item) ? map(item) : item)) : value;
