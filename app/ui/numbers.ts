type FormatNumber = (value: number) => string;

/** Returns a formatter of EUR amounts with these minimum and maximum decimal places. */
export const euroFormatter = (minimumFractionDigits: number, maximumFractionDigits: number): FormatNumber =>
  createFormatter({ style: "currency", currency: "EUR", minimumFractionDigits, maximumFractionDigits });

/** Returns a formatter of numbers with at most this many decimal places. */
export const numberFormatter = (maximumFractionDigits: number): FormatNumber =>
  createFormatter({ maximumFractionDigits });

/** Creates the `Intl.NumberFormat` once, because that takes longer than rendering a table row. */
function createFormatter(options: Intl.NumberFormatOptions): FormatNumber {
  const format = new Intl.NumberFormat("en", options);
  return (value) => format.format(value);
}
