/** Returns a row of CSV (RFC 4180). */
export const formatCsvRow = (cells: (string | null)[]): string =>
  `${cells.map((cell) => quoteCell(cell ?? "")).join(",")}\r\n`;

const quoteCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns a customer's text for a cell: spreadsheets would evaluate one that starts with these characters as a formula. */
export const escapeFormula = (text: string | null): string | null =>
  text && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
