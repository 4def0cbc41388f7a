/**
 * Returns the selection after a click on `id`, which it adds or removes. With an `anchor`, the id clicked before, every
 * listed id between the two becomes what `id` becomes.
 */
export function toggleSelection(
  listed: readonly string[],
  selected: ReadonlySet<string>,
  id: string,
  anchor: string | null = null,
): Set<string> {
  const isAdding = !selected.has(id);
  const from = anchor === null ? -1 : listed.indexOf(anchor);
  const to = listed.indexOf(id);
  const clicked = from < 0 ? [id] : listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(selected);
  for (const one of clicked) {
    if (isAdding) next.add(one);
    else next.delete(one);
  }
  return next;
}
