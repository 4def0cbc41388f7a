import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findNames } from "./find-names";
import { bareVerbs, oddWords, plainInComments } from "./odd-words";

// Counts the names and comments with odd words, and exits with 1 above a limit. `--list` prints each of them.
const MAX_ODD_NAMES = 0.02;
const MAX_ODD_COMMENTS = 0.03;
const isListed = process.argv.includes("--list");

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file && !/^prisma\/|^scripts\/words\/|\.d\.ts$/.test(file));

/** Splits a name into its words: `lastErrorMS` becomes last, error and ms. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

const findOdd = (text: string, isOdd = (word: string) => Object.hasOwn(oddWords, word)): string | undefined =>
  wordsOf(text).find(isOdd);
const isOddInComment = (word: string) => Object.hasOwn(oddWords, word) && !plainInComments.has(word);

const report = { names: 0, oddNames: 0, comments: 0, oddComments: 0 };
const print = (line: string) => void process.stdout.write(`${line}\n`);
const printOdd = (file: string, line: number, text: string, odd: string) => {
  const better = oddWords[odd] ?? "a verb and its object";
  if (isListed) print(`${file}:${line}: ${text.split("\n")[0]!.slice(0, 100)} (${odd}: ${better})`);
};

for (const file of files) {
  const { names, comments } = findNames(file, readFileSync(file, "utf8"));
  report.names += names.length;
  report.comments += comments.length;
  for (const { name, line, isExported } of names) {
    const odd = findOdd(name) ?? (isExported && bareVerbs.has(name) ? name : undefined);
    if (odd === undefined) continue;
    report.oddNames += 1;
    printOdd(file, line, name, odd);
  }
  for (const { name, line } of comments) {
    const odd = findOdd(name, isOddInComment);
    if (odd === undefined) continue;
    report.oddComments += 1;
    printOdd(file, line, name, odd);
  }
}

const printShare = (title: string, part: number, whole: number, limit: number) => {
  print(`${title}: ${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %, limit ${100 * limit} %)`);
  if (part > limit * whole) process.exitCode = 1;
};
printShare("odd names", report.oddNames, report.names, MAX_ODD_NAMES);
printShare("comments with odd words", report.oddComments, report.comments, MAX_ODD_COMMENTS);
