// What a colon means nothing in: texts, quoted names, comments, dollar quotes and casts. `:=` and the bounds of an array
// slice are no names. The last alternative is a parameter.
const TOKENS =
  /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|(\$\w*\$)[^]*?\1|::|:([a-z_]\w*)/g;

/**
 * Returns a statement's text with `$1`, `$2` and so on in place of `:name`, numbered in the order of `names`. Throws for a
 * name that is not among them, one that the text does not use, and a parameter that has a number already.
 */
export function numberParameters(text: string, names: readonly string[]): string {
  const unused = new Set(names);
  const numbered = text.replace(TOKENS, (token: string, _quote: string | undefined, name: string | undefined) => {
    if (name === undefined) return token;
    const index = names.indexOf(name);
    if (index === -1) throw new Error(`the parameter :${name} is not declared in: ${text}`);
    unused.delete(name);
    return `$${index + 1}`;
  });
  if (unused.size > 0)
    throw new Error(`the parameters ${[...unused].join(", ")} are declared but not used in: ${text}`);
  const number = findNumbered(text);
  if (number) throw new Error(`${number} has no name in: ${text}`);
  return numbered;
}

const NUMBERED = new RegExp(`${TOKENS.source}|(\\$\\d+)`, "g");
const findNumbered = (text: string) => [...text.matchAll(NUMBERED)].find((match) => match[3])?.[3];
