interface Bracket {
  /** The indentation of the line that opens it. */
  opener: number;
  /** The indentation, as written, of the first line inside. */
  first?: number;
}

/**
 * Returns a statement as a file shows it: without blank lines, and indented by its brackets, because the texts that it is
 * put together from are indented differently.
 */
export function showStatement(text: string): string {
  const open: Bracket[] = [{ opener: -2 }];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.map((line) => {
    const code = line.replace(/--.*|'[^']*'/g, "").trim();
    const isClosing = code.startsWith(")");
    const bracket = open.at(-1)!;
    const written = line.search(/\S/);
    if (!isClosing) bracket.first ??= written;
    const indentation = isClosing
      ? bracket.opener
      : bracket.opener + 2 + Math.max(0, written - (bracket.first ?? written));
    for (const character of code) {
      if (character === "(") open.push({ opener: indentation });
      if (character === ")") open.pop();
    }
    return " ".repeat(indentation) + line.trim();
  });
  return `${shown.join("\n")}\n`;
}
