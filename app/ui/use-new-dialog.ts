"use client";

import { useState } from "react";
import type { Permission } from "@/server/context";
import { usePermission } from "./access-context";
import { useSearch } from "./use-search";

/** Returns whether the create dialog of a page is open, which `?new` in the URL opens for people with the permission. */
export function useNewDialog(needs: Permission) {
  const isPermitted = usePermission(needs);
  const { read, change } = useSearch();
  const [wasOpened, setOpened] = useState(false);
  const setOpen = (open: boolean) => {
    setOpened(open);
    if (!open) change("new", "");
  };
  return { isOpen: isPermitted && (wasOpened || read("new") !== null), setOpen };
}
