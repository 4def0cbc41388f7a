import { useState } from "react";

/** Returns a handler that returns the focus to where it was, for dialogs that open without a Radix trigger. */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    if (before instanceof HTMLElement) before.focus();
  };
}
