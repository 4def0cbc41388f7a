"use client";

import { useState } from "react";
import type { ListedFile } from "./types";

/** Keeps which of the listed files are selected; files that are no longer listed are not. */
export function useSelection(files: ListedFile[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = files.filter(({ id }) => ids.has(id));
  return {
    selected,
    isAll: selected.length === files.length,
    has: (file: ListedFile) => ids.has(file.id),
    toggle: ({ id }: ListedFile) =>
      setIds((all) => new Set(all.has(id) ? [...all].filter((one) => one !== id) : [...all, id])),
    selectAll: () => setIds(new Set(files.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
