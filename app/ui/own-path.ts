/** The path of one of our own addresses: a page asks its own origin, whatever name the hub hands out. */
export const ownPath = (url: string): string => new URL(url).pathname;
