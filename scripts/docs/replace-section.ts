const END = "<!-- End -->";

/**
 * Returns a page in which `text` replaces what is between the mark that names the command which writes it and the next end mark.
 */
export function replaceSection(page: string, mark: string, text: string): string {
  const begin = `<!-- ${mark} -->`;
  const [before, rest] = splitAt(page, begin);
  const [, after] = splitAt(rest, END);
  return `${before}${begin}\n\n${text}\n\n${END}${after}`;
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`The page has no line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
