interface Grid {
  count: number;
  columns: number;
}

/** Returns the index to which a key moves in a grid; null for other keys, and where there is nothing to move to. */
export function moveInGrid(key: string, index: number, { count, columns }: Grid): number | null {
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
  };
  const next = targets[key];
  return next !== undefined && next >= 0 && next < count && next !== index ? next : null;
}
