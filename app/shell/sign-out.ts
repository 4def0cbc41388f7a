"use client";

import { postAuth } from "../session/post-auth";
import { setSigningOut } from "../session/signing-out";
import { clearLocalData } from "../storage/local-data";
import { clearRecentModels } from "../storage/recent-models";

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
