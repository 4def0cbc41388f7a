"use client";

import { LogOut } from "lucide-react";
import { useState } from "react";
import { postAuth } from "../session/post-auth";
import { Button } from "../ui/button";

/** Ends this session. A whole new page follows, so that nothing of the account stays in memory. */
export async function leave(): Promise<void> {
  await postAuth("signout");
  window.location.assign("/sign-in");
}

export function SignOut() {
  const [leaving, setLeaving] = useState(false);
  const onClick = () => {
    setLeaving(true);
    void leave().catch(() => setLeaving(false));
  };
  return (
    <Button kind="ghost" className="px-2" aria-label="Sign out" title="Sign out" busy={leaving} onClick={onClick}>
      <LogOut size={16} aria-hidden />
    </Button>
  );
}
