import type { KeyboardEvent } from "react";

/** Sends a form by Ctrl or ⌘ and Enter from any of its fields. */
export function submitOnCommandEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}
