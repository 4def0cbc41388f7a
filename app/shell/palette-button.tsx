"use client";

import { Search } from "lucide-react";
import { Button } from "../ui/button";
import { useHydrated } from "../ui/use-hydrated";
import { isMac } from "./is-mac";
import { openPanel } from "./open-panel";

/** Opens the command palette; on a narrow screen it is an icon. */
export function PaletteButton({ iconOnly = false }: { iconOnly?: boolean }) {
  const isHydrated = useHydrated();
  if (iconOnly) {
    return (
      <Button kind="ghost" className="ml-auto px-2" aria-label="Search" onClick={() => openPanel("palette")}>
        <Search size={20} aria-hidden />
      </Button>
    );
  }
  return (
    <Button
      className="w-full justify-start font-normal text-soft"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openPanel("palette")}
    >
      <Search size={16} aria-hidden />
      Search
      <kbd aria-hidden className="ml-auto font-sans text-xs">
        {/* The server does not know the keyboard. */}
        {isHydrated && (isMac() ? "⌘K" : "Ctrl K")}
      </kbd>
    </Button>
  );
}
