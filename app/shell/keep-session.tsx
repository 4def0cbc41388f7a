"use client";

import { useEffect } from "react";

const EVERY_MS = 30 * 60_000;

/** Renews the session's cookie while the console is looked at: it ends a week after the last visit. */
export function KeepSession() {
  useEffect(() => {
    const renew = () => {
      // Away or signed out: the page's own calls will say so.
      if (document.visibilityState === "visible") void fetch("/api/auth/session").catch(() => undefined);
    };
    renew();
    const timer = setInterval(renew, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}
