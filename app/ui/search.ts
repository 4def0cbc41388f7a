/** The query parameters of a page, as its server component receives them. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Returns the first value of a query parameter; null without one. */
export type ReadSearch = (name: string) => string | null;

export async function createSearchReader(params: SearchParams): Promise<ReadSearch> {
  const values = await params;
  return (name) => [values[name]].flat()[0] ?? null;
}
