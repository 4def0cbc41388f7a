"use client";

import { useEffect } from "react";

const RENEWAL_INTERVAL_MS = 3_600_000;
const CHECK_INTERVAL_MS = 60_000;

/** Renews the session cookie, last renewed at `seen` (Unix seconds), while the console is visible. */
export function KeepSession({ seen }: { seen: number }) {
  useEffect(() => {
    let renewed = seen * 1000;
    const renew = () => {
      if (document.visibilityState !== "visible" || Date.now() - renewed < RENEWAL_INTERVAL_MS) return;
      renewed = Date.now();
      // The page's own requests report an ended session or an unreachable hub.
      void fetch("/api/auth/session").catch(() => undefined);
    };
    renew();
    const timer = setInterval(renew, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [seen]);
  return null;
}
