"use client";

import { LogOut } from "lucide-react";
import { useState } from "react";
import { postAuth } from "../session/post-auth";
import { setSigningOut } from "../session/signing-out";
import { clearLocalData } from "../storage/local-data";
import { clearRecentModels } from "../storage/recent-models";
import { Button } from "../ui/button";

/** Ends this session and reloads into the sign-in page, so that no account data stays in memory or in the browser. */
export async function signOut(): Promise<void> {
  setSigningOut(true);
  try {
    await postAuth("signout");
  } catch (error) {
    setSigningOut(false);
    throw error;
  }
  clearLocalData();
  clearRecentModels();
  window.location.assign("/sign-in");
}

export function SignOut() {
  const [leaving, setLeaving] = useState(false);
  const onClick = () => {
    setLeaving(true);
    void signOut().catch(() => setLeaving(false));
  };
  return (
    <Button kind="ghost" className="px-2" aria-label="Sign out" title="Sign out" busy={leaving} onClick={onClick}>
      <LogOut size={16} aria-hidden />
    </Button>
  );
}
