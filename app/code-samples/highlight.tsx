/** One pattern for shell, TypeScript, Python, JSON and YAML. A comment begins a line or follows a space, unlike in a URL. */
const TOKEN =
  /(?<comment>(?<=^|\s)(?:#|\/\/).*)|(?<text>"(?:[^"\\\n]|\\.)*"|'[^']*'|`[^`]*`)|(?<word>\b(?:as|async|await|const|def|else|export|false|finally|for|from|function|if|import|in|let|new|None|null|of|return|throw|true|try|while|with)\b)|(?<figure>\b\d+(?:\.\d+)?\b)/gm;

const colors = { comment: "text-soft", text: "text-good", word: "text-accent", figure: "text-warning" };

/** Renders code whose comments, strings, keywords and numbers have colours. Its text stays the same. */
export function Highlighted({ code }: { code: string }) {
  const parts = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const kind = (Object.keys(colors) as (keyof typeof colors)[]).find((name) => match.groups![name] !== undefined)!;
    parts.push(
      code.slice(end, match.index),
      <span key={match.index} className={colors[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return (
    <>
      {parts}
      {code.slice(end)}
    </>
  );
}
