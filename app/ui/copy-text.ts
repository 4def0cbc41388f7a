/** Copies a text to the clipboard. `source` is the element that asks for it. Returns whether it was copied. */
export async function copyText(text: string, source: Element): Promise<boolean> {
  // Browsers hide the clipboard from pages served over plain http by another machine.
  if (navigator.clipboard) {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false); // prettier-ignore
    if (isCopied) return true;
  }
  return copySelection(text, source);
}

function copySelection(text: string, source: Element): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "sr-only";
  const focused = document.activeElement;
  // A dialog would take the focus back from an element outside it.
  (source.closest("[role=dialog], [role=alertdialog]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
