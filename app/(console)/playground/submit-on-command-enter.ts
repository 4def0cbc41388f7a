import type { KeyboardEvent } from "react";

/** Submits the form on Ctrl+Enter or ⌘+Enter. */
export function submitOnCommandEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}
