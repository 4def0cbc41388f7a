/** What stands behind the `?` of a page, as its server component is given it. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Reads one value by its name; of several of one name the first, as the browser does. */
export type ReadSearch = (name: string) => string | null;

export async function readerOf(params: SearchParams): Promise<ReadSearch> {
  const given = await params;
  return (name) => [given[name]].flat()[0] ?? null;
}
