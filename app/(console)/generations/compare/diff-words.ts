/** A part of two texts: of both, or of only one. */
export interface Change {
  kind: "same" | "removed" | "added";
  text: string;
}

const WORD = /\s+|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
/** Longer texts are not divided into words, and larger tables not filled: both would take more than a few milliseconds. */
const MAX_LENGTH = 50_000;
const MAX_CELLS = 250_000;

/** Returns how a text became another one, word by word; texts that are too long or too different are replaced as a whole. */
export function diffWords(before: string, after: string): Change[] {
  if (before === after) return [{ kind: "same", text: before }];
  if (Math.max(before.length, after.length) > MAX_LENGTH) return joinSteps(replaceAll([before], [after]));
  const [a, b] = [before, after].map((text): string[] => text.match(WORD) ?? []) as [string[], string[]];
  const start = countEqual(a, b, (list, n) => list[n]);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const end = countEqual(restA, restB, (list, n) => list.at(-1 - n));
  const [middleA, middleB] = [restA.slice(0, restA.length - end), restB.slice(0, restB.length - end)];
  const isSmall = (middleA.length + 1) * (middleB.length + 1) <= MAX_CELLS;
  return joinSteps([
    { kind: "same", text: a.slice(0, start).join("") },
    ...(isSmall ? alignWords : replaceAll)(middleA, middleB),
    { kind: "same", text: restA.slice(restA.length - end).join("") },
  ]);
}

/** Returns how many words two lists share from where `at` begins. */
function countEqual(a: string[], b: string[], at: (list: string[], n: number) => string | undefined): number {
  const max = Math.min(a.length, b.length);
  let count = 0;
  while (count < max && at(a, count) === at(b, count)) count += 1;
  return count;
}

const replaceAll = (a: string[], b: string[]): Change[] => [
  { kind: "removed", text: a.join("") },
  { kind: "added", text: b.join("") },
];

/** Returns the steps from one list to another that keep the longest common subsequence. */
function alignWords(a: string[], b: string[]): Change[] {
  // Numbers are compared in constant time, however long the words are.
  const numbers = new Map<string, number>();
  const [idsA, idsB] = [a, b].map((words) =>
    words.map((word) => numbers.get(word) ?? (numbers.set(word, numbers.size), numbers.size - 1)),
  ) as [number[], number[]];
  const width = b.length + 1;
  // The length of the longest common subsequence of the words from here on.
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const cell = i * width + j;
      lengths[cell] =
        idsA[i] === idsB[j] ? lengths[cell + width + 1]! + 1 : Math.max(lengths[cell + width]!, lengths[cell + 1]!);
    }
  const steps: Change[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const cell = i * width + j;
    if (i < a.length && idsA[i] === idsB[j]) {
      steps.push({ kind: "same", text: a[i++]! });
      j += 1;
    } else if (j === b.length || (i < a.length && lengths[cell + width]! >= lengths[cell + 1]!))
      steps.push({ kind: "removed", text: a[i++]! });
    else steps.push({ kind: "added", text: b[j++]! });
  }
  return steps;
}

/** Joins steps to readable parts: words that were replaced in a row become one removal and one addition, with the spaces between them. */
function joinSteps(steps: Change[]): Change[] {
  const changes: Change[] = [];
  let [same, removed, added] = ["", "", ""];
  const flush = () => {
    const parts: Change[] = [
      { kind: "same", text: same },
      { kind: "removed", text: removed },
      { kind: "added", text: added },
    ];
    changes.push(...parts.filter(({ text }) => text !== ""));
    [same, removed, added] = ["", "", ""];
  };
  for (const [n, { kind, text }] of steps.entries()) {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if (removed + added === "") same += text;
    else if (text.trim() === "" && removed !== "" && added !== "" && (steps[n + 1]?.kind ?? "same") !== "same") {
      removed += text;
      added += text;
    } else {
      flush();
      same = text;
    }
  }
  flush();
  return changes;
}
