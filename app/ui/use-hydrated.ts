"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the browser's script has taken the page over: until then a press would be lost. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
