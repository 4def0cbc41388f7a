"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Returns whether React has hydrated the page; before that, clicks would be lost. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
