const END = "<!-- End -->";

/** Returns a page with another text between the mark that says which command writes it and the next end mark. */
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
