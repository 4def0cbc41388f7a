"use client";

import { useRef } from "react";
import { v4 } from "uuid";

/**
 * Names what is sent, so that the hub does it once: the same body has the same name until it was answered, also when it
 * is sent again because no answer came.
 */
export function useOnce() {
  const last = useRef<{ text: string; name: string } | null>(null);
  return {
    nameOf: (body: unknown): string => {
      const text = JSON.stringify(body);
      if (last.current?.text !== text) last.current = { text, name: v4() };
      return last.current.name;
    },
    answered: () => {
      last.current = null;
    },
  };
}
