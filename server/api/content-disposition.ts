/** Returns the header `Content-Disposition` (RFC 6266), with the file's name if it has one. */
export function contentDisposition(type: "inline" | "attachment", name: string | null): string {
  if (name === null) return type;
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const header = `${type}; filename="${ascii}"`;
  return ascii === name ? header : `${header}; filename*=UTF-8''${encodeName(name)}`;
}

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
