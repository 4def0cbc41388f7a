"use client";

import { useEffect } from "react";

const RENEWED_EVERY_MS = 3_600_000;
const LOOK_EVERY_MS = 60_000;

/** Renews the session's cookie, last renewed at `seen` (Unix seconds), while the console is looked at. */
export function KeepSession({ seen }: { seen: number }) {
  useEffect(() => {
    let renewed = seen * 1000;
    const renew = () => {
      if (document.visibilityState !== "visible" || Date.now() - renewed < RENEWED_EVERY_MS) return;
      renewed = Date.now();
      // Away or signed out: the page's own calls will say so.
      void fetch("/api/auth/session").catch(() => undefined);
    };
    renew();
    const timer = setInterval(renew, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [seen]);
  return null;
}
