/** Returns whether the keyboard has a ⌘ key. */
export const isMac = (): boolean => /Mac|iP(hone|ad|od)/.test(navigator.platform);
