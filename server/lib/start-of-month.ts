/** Returns when the month in UTC begins that contains `at`, or that many months later. */
export const startOfMonth = (at: Date, monthsLater = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater));
