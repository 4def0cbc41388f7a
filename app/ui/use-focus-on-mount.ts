"use client";

import { useEffect, useRef } from "react";

/** Returns a ref whose element gets the focus when it appears, unless `isOn` is false. */
export function useFocusOnMount<Focusable extends HTMLElement>(isOn = true) {
  const ref = useRef<Focusable>(null);
  useEffect(() => {
    if (isOn) ref.current?.focus();
  }, [isOn]);
  return ref;
}
