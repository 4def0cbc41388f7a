"use client";

import { useEffect } from "react";

const KEY = "hub:account";

/**
 * Reloads the page when another tab shows another account. A session acts for one account, so what is pressed here
 * would otherwise change and charge an account that this page does not show.
 */
export function FollowAccount({ accountId }: { accountId: number }) {
  useEffect(() => {
    const shown = String(accountId);
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === KEY && newValue !== null && newValue !== shown) window.location.reload();
    };
    addEventListener("storage", onStorage);
    try {
      localStorage.setItem(KEY, shown);
    } catch {
      // Storage may be disabled.
    }
    return () => removeEventListener("storage", onStorage);
  }, [accountId]);
  return null;
}
