/** `\d`, `\u{1F600}`, `[^a-z]`, `.` or a plain character. */
const ATOM =
  /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]*\}|[^1-9k])|\[\^?(?:\\.|[^\]\\])*\]|[^\\[\](){}*+?|]/iuy;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/uy;
const GROUP = /\((?:\?:|\?<[A-Za-z]\w*>)?(?!\?)/uy;
const MAX_CHARACTERS = 1_000;
const MAX_SIZE = 10_000;

interface Cost {
  /** How many ways a backtracking engine may try. */
  ways: number;
  /** Whether it can match at one length and in one way only. */
  fixed: boolean;
  /** Steps along one way. */
  size: number;
}

/**
 * Upper bound of the steps in which a backtracking engine decides a pattern on `length` characters. Infinity where no
 * bound is known: repetitions inside repetitions, look-around, back-references, or syntax that is not understood.
 */
export function countPatternSteps(pattern: string, length: number): number {
  if (pattern.length > MAX_CHARACTERS) return Infinity;
  const { cost, end } = read(pattern, length);
  if (end < pattern.length || cost.size > MAX_SIZE) return Infinity;
  // Without an anchor before every alternative, it is tried from each position.
  const starts = pattern.startsWith("^") && !pattern.includes("|") ? 1 : length;
  return cost.ways * starts * cost.size;
}

function read(pattern: string, length: number): { cost: Cost; end: number } {
  let at = 0;
  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const [token] = expression.exec(pattern) ?? [];
    at += token?.length ?? 0;
    return token;
  };
  const alternatives = (): Cost => {
    const whole = sequence();
    while (pattern[at] === "|") {
      at += 1;
      const other = sequence();
      whole.ways += other.ways;
      whole.size += other.size;
      whole.fixed = false;
    }
    return whole;
  };
  const sequence = (): Cost => {
    const whole: Cost = { ways: 1, fixed: true, size: 1 };
    for (let part = next(); part; part = next()) {
      const repeated = repeat(part, take(QUANTIFIER), length);
      whole.ways *= repeated.ways;
      whole.size += repeated.size;
      whole.fixed &&= repeated.fixed;
    }
    return whole;
  };
  const next = (): Cost | undefined => {
    if (take(ATOM)) return { ways: 1, fixed: true, size: 1 };
    if (!take(GROUP)) return undefined;
    const inner = alternatives();
    // A group that is left open ends the reading before its end, or at it: the expression itself will not compile.
    if (pattern[at] === ")") at += 1;
    return inner;
  };
  return { cost: alternatives(), end: at };
}

function repeat({ ways, fixed, size }: Cost, quantifier: string | undefined, length: number): Cost {
  if (!quantifier) return { ways, fixed, size };
  if (quantifier.startsWith("?")) return { ways: ways + 1, fixed: false, size };
  const { least, most } = range(quantifier);
  const repeatedSize = size * Math.max(1, least, most === Infinity ? 1 : most);
  if (least === most) return { ways: ways ** least, fixed, size: repeatedSize };
  // What can match in several ways, several times, can do so in exponentially many.
  if (!fixed) return { ways: Infinity, fixed, size: repeatedSize };
  return { ways: Math.max(Math.min(most, length) - least, 0) + 1, fixed: false, size: repeatedSize };
}

function range(quantifier: string): { least: number; most: number } {
  const [, least, comma, most] = /^\{(\d+)(,)?(\d*)/.exec(quantifier) ?? [];
  if (least === undefined) return { least: quantifier.startsWith("+") ? 1 : 0, most: Infinity };
  if (!comma) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most ? Number(most) : Infinity };
}
