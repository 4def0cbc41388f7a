let region: HTMLElement | undefined;

// Screen readers ignore the text that a region is created with, and a text that does not change.
const ANNOUNCE_DELAY_MS = 50;

/** Makes screen readers announce a text once, after what they are reading. Only works in the browser. */
export function announce(text: string): void {
  const live = (region ??= createRegion());
  live.textContent = "";
  setTimeout(() => (live.textContent = text), ANNOUNCE_DELAY_MS);
}

function createRegion(): HTMLElement {
  const created = document.createElement("div");
  created.className = "sr-only";
  // Open dialogs hide everything outside themselves, except for live regions.
  created.setAttribute("aria-live", "polite");
  document.body.append(created);
  return created;
}
