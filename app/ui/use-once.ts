"use client";

import { useRef } from "react";

/** Browsers have `randomUUID` only where the page came by https. */
const newName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Names what is sent, so that the hub does it once: the same body has the same name until it was answered, also when it
 * is sent again because no answer came.
 */
export function useOnce() {
  const last = useRef<{ text: string; name: string } | null>(null);
  return {
    nameOf: (body: unknown): string => {
      const text = JSON.stringify(body);
      if (last.current?.text !== text) last.current = { text, name: newName() };
      return last.current.name;
    },
    answered: () => {
      last.current = null;
    },
  };
}
