"use client";

import { useState } from "react";
import { useSearch } from "./use-search";

/** Returns whether the create dialog of a page is open, which `?new` in the URL opens. */
export function useNewDialog() {
  const { read, change } = useSearch();
  const [wasOpened, setOpened] = useState(false);
  const setOpen = (open: boolean) => {
    setOpened(open);
    if (!open) change("new", "");
  };
  return { isOpen: wasOpened || read("new") !== null, setOpen };
}
