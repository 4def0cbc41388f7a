"use client";

import { useHydrated } from "../../ui/use-hydrated";

/** Shows the shortcut that runs a form, as this system writes it; nothing on touch screens. */
export function CommandEnter() {
  const isApple = useHydrated() && /mac|iphone|ipad/i.test(navigator.platform);
  return (
    <kbd className="min-w-20 text-right font-sans text-xs text-soft max-sm:hidden pointer-coarse:hidden">
      {isApple ? "⌘ Enter" : "Ctrl+Enter"}
    </kbd>
  );
}
