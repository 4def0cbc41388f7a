"use client";

import { useEffect } from "react";

/**
 * Reloads the page when another tab shows another account. A session acts for one account, so what is pressed here
 * would otherwise change and charge an account that this page does not show.
 */
export function FollowAccount({ accountId }: { accountId: number }) {
  useEffect(() => {
    const channel = new BroadcastChannel("hub:account");
    channel.onmessage = ({ data }: MessageEvent<number>) => {
      if (data !== accountId) window.location.reload();
    };
    channel.postMessage(accountId);
    return () => channel.close();
  }, [accountId]);
  return null;
}
