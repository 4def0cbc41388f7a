"use client";

import { useEffect, useState } from "react";

const DEBOUNCE_MS = 300;

/** Returns the value after it has been stable for 300 ms. */
export function useDebouncedValue<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
