/**
 * Returns a number as a `real` of Postgres stores it. Postgres rejects one that is too small for 32 bits, such as 5e-324,
 * instead of rounding it to 0.
 */
export const toReal = (value: number | null = null): number | null => (value === null ? null : Math.fround(value));
