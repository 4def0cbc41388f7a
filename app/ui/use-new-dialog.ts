"use client";

import { useState } from "react";
import { useSearch } from "./use-search";

/** Keeps whether a page's dialog that creates something is open: the address with `?new` opens it. */
export function useNewDialog() {
  const { read, change } = useSearch();
  const [wasOpened, setOpened] = useState(false);
  const setOpen = (open: boolean) => {
    setOpened(open);
    if (!open) change("new", "");
  };
  return { isOpen: wasOpened || read("new") !== null, setOpen };
}
