const STORAGE_KEY = "single-key-shortcuts";

/** Returns whether single keys are shortcuts. Speech input also types keys, so they can be turned off. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, "off");
  } catch {
    // Storage may be disabled.
  }
}
