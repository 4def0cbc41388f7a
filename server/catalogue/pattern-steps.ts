/** Matches `\d`, `\u{1F600}`, `[^a-z]`, `.` or a plain character. */
const ATOM =
  /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]*\}|[^1-9k])|\[\^?(?:\\.|[^\]\\])*\]|[^\\[\](){}*+?|]/iuy;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/uy;
const GROUP = /\((?:\?:|\?<[A-Za-z]\w*>)?(?!\?)/uy;
const MAX_PATTERN_LENGTH = 1_000;
const MAX_STEPS_PER_PATH = 10_000;

interface Complexity {
  /** How many paths a backtracking engine may try. */
  paths: number;
  /** Whether it can match in one way and at one length only. */
  isFixed: boolean;
  /** Steps along one path. */
  steps: number;
}

/**
 * Returns an upper bound of the steps that a backtracking engine takes to test a pattern on `length` characters. Infinity
 * if no bound is known: for nested repetitions, lookaround, backreferences and unknown syntax.
 */
export function countPatternSteps(pattern: string, length: number): number {
  if (pattern.length > MAX_PATTERN_LENGTH) return Infinity;
  const { complexity, end } = parsePattern(pattern, length);
  if (end < pattern.length || complexity.steps > MAX_STEPS_PER_PATH) return Infinity;
  // Without an anchor before every alternative, the engine tries each position.
  const starts = pattern.startsWith("^") && !pattern.includes("|") ? 1 : length;
  return complexity.paths * starts * complexity.steps;
}

function parsePattern(pattern: string, length: number): { complexity: Complexity; end: number } {
  let at = 0;
  const readToken = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const [token] = expression.exec(pattern) ?? [];
    at += token?.length ?? 0;
    return token;
  };
  const readAlternatives = (): Complexity => {
    const whole = readSequence();
    while (pattern[at] === "|") {
      at += 1;
      const other = readSequence();
      whole.paths += other.paths;
      whole.steps += other.steps;
      whole.isFixed = false;
    }
    return whole;
  };
  const readSequence = (): Complexity => {
    const whole: Complexity = { paths: 1, isFixed: true, steps: 1 };
    for (let part = readPart(); part; part = readPart()) {
      const repeated = repeatPart(part, readToken(QUANTIFIER), length);
      whole.paths *= repeated.paths;
      whole.steps += repeated.steps;
      whole.isFixed &&= repeated.isFixed;
    }
    return whole;
  };
  const readPart = (): Complexity | undefined => {
    if (readToken(ATOM)) return { paths: 1, isFixed: true, steps: 1 };
    if (!readToken(GROUP)) return undefined;
    const group = readAlternatives();
    // A pattern with an unclosed group does not compile, so its bound does not matter.
    if (pattern[at] === ")") at += 1;
    return group;
  };
  return { complexity: readAlternatives(), end: at };
}

function repeatPart({ paths, isFixed, steps }: Complexity, quantifier: string | undefined, length: number): Complexity {
  if (!quantifier) return { paths, isFixed, steps };
  if (quantifier.startsWith("?")) return { paths: paths + 1, isFixed: false, steps };
  const { min, max } = parseQuantifier(quantifier);
  const repeatedSteps = steps * Math.max(1, min, max === Infinity ? 1 : max);
  if (min === max) return { paths: paths ** min, isFixed, steps: repeatedSteps };
  // Repeating what can match in several ways gives exponentially many paths.
  if (!isFixed) return { paths: Infinity, isFixed, steps: repeatedSteps };
  return { paths: Math.max(Math.min(max, length) - min, 0) + 1, isFixed: false, steps: repeatedSteps };
}

function parseQuantifier(quantifier: string): { min: number; max: number } {
  const [, min, comma, max] = /^\{(\d+)(,)?(\d*)/.exec(quantifier) ?? [];
  if (min === undefined) return { min: quantifier.startsWith("+") ? 1 : 0, max: Infinity };
  if (!comma) return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max ? Number(max) : Infinity };
}
