"use client";

import { useRef } from "react";

/** Returns a new key. `crypto.randomUUID` exists only in secure contexts, and the console may run over plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Returns idempotency keys for request bodies: the same body keeps its key until `clearKey`, so that a request sent
 * again after a lost response runs once.
 */
export function useIdempotencyKey() {
  const last = useRef<{ text: string; key: string } | null>(null);
  return {
    keyFor: (body: unknown): string => {
      const text = JSON.stringify(body);
      if (last.current?.text !== text) last.current = { text, key: newKey() };
      return last.current.key;
    },
    clearKey: () => {
      last.current = null;
    },
  };
}
