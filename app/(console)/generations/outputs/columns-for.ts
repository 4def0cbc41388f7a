/** Returns the columns for this many outputs; a phone shows two pictures side by side. */
export function columnsFor(count: number): string {
  if (count === 1) return "grid-cols-1";
  if (count === 2) return "grid-cols-1 @md:grid-cols-2";
  return count <= 4 ? "grid-cols-2" : "grid-cols-2 @xl:grid-cols-3";
}
