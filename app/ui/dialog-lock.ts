"use client";

import { createContext, useContext, useEffect } from "react";

export const DialogLock = createContext<(isLocked: boolean) => void>(() => undefined);

/** Keeps the dialog around the calling component open while `isLocked`: only the component itself can close it. */
export function useDialogLock(isLocked: boolean): void {
  const setLocked = useContext(DialogLock);
  useEffect(() => {
    setLocked(isLocked);
    return () => setLocked(false);
  }, [setLocked, isLocked]);
}
