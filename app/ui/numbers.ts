type Told = (value: number) => string;

/** Amounts in EUR with at least and at most so many places. */
export const eurosWith = (minimumFractionDigits: number, maximumFractionDigits: number): Told =>
  told({ style: "currency", currency: "EUR", minimumFractionDigits, maximumFractionDigits });

/** Numbers with at most so many places. */
export const numbersWith = (maximumFractionDigits: number): Told => told({ maximumFractionDigits });

/** Made once and kept: a format takes longer to make than a row of a table. */
function told(options: Intl.NumberFormatOptions): Told {
  const format = new Intl.NumberFormat("en", options);
  return (value) => format.format(value);
}
