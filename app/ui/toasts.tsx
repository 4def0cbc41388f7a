"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { loadOverlay, loadOverlaysOnUse } from "./load-overlays";
import type { Message, ShownToast } from "./message";

const ToastContext = createContext<(message: Message) => void>(() => undefined);

/** Returns the function that shows a toast: `toast({ text, undo })`. */
export const useToast = () => useContext(ToastContext);

const ToastList = loadOverlay((overlays) => overlays.ToastList);

const MAX_TOASTS = 4;

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([]);
  // Stays true, because closing a toast moves the focus within the list.
  const [isListed, setListed] = useState(false);
  useEffect(loadOverlaysOnUse, []);
  const toast = useCallback((message: Message) => {
    setListed(true);
    setShown((all) => {
      const id = (all.at(-1)?.id ?? 0) + 1;
      // The same text is shown once, unless each toast undoes something else.
      const others = all.filter(({ text, undo }) => undo || text !== message.text);
      return [...others.slice(1 - MAX_TOASTS), { ...message, id, open: true }];
    });
  }, []);
  const close = (id: number) => setShown((all) => all.filter((one) => one.id !== id));
  return (
    <ToastContext.Provider value={toast}>
      {children}
      {isListed && <ToastList shown={shown} onClose={close} />}
    </ToastContext.Provider>
  );
}
