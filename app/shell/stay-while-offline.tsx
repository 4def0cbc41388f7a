"use client";

import { useEffect } from "react";
import { useToast } from "../ui/toasts";
import { OFFLINE } from "./use-open-page";

/** Keeps the page when a link is followed without a network. */
export function StayWhileOffline() {
  const toast = useToast();
  useEffect(() => {
    const stay = (event: MouseEvent) => {
      if (navigator.onLine) return;
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="/"]');
      if (!link || link.target === "_blank") return;
      event.preventDefault();
      toast({ text: OFFLINE });
    };
    // Runs before the links themselves, which ignore prevented events.
    document.addEventListener("click", stay, { capture: true });
    return () => document.removeEventListener("click", stay, { capture: true });
  }, [toast]);
  return null;
}
