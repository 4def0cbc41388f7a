import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { loadCatalogue } from "../catalogue/load";
import { getAccount } from "../domain/accounts";
import { applyBooks, assignBook, type BookStart, bookStarts, checkBooksDraft, getBooks } from "../domain/books";
import { OperatorError } from "../lib/operator-error";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";
import { formatColumns } from "./format-columns";

/** Adds the `book` commands. */
export function addBookCommands(program: Command): void {
  const book = program.command("book").description("manage price books: the prices of single accounts");
  book
    .command("check <file>")
    .description("validate price books and list issues by line; exit 1 on issues")
    .option("--json")
    .action(runCheck);
  book
    .command("apply <file>")
    .description("activate price books in all running hubs")
    .option("--json")
    .action(runApply);
  book.command("list").description("list the applied price books").option("--json").action(runList);
  book.command("show").description("print the applied price books").option("--json").action(runShow);
  book
    .command("assign")
    .description("put an account on a price book")
    .requiredOption("--email <address>")
    .addOption(new Option("--book <id>", "the price book").conflicts("none"))
    .option("--none", "back to the prices of the catalogue")
    .addOption(new Option("--starts <when>", "when it starts").choices(bookStarts).default("now"))
    .option("--json")
    .action(runAssign);
}

const readBooksFile = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: unknown) => {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  });

async function runCheck(file: string, options: OutputOptions): Promise<void> {
  const source = await readBooksFile(file);
  const { issues, books } = await withHub((hub) => checkBooksDraft(hub, { source, file }), loadCatalogue);
  const lines = issues.map(({ line, path, message }) => [`${file}:${line}`, path, message].filter(Boolean).join(": "));
  const count = books.length === 1 ? "1 book" : `${books.length} books`;
  const summary = `${file} is valid (${[count, books.join(", ")].filter(Boolean).join(": ")})`;
  printResult(options, { file, books, issues }, issues.length > 0 ? lines.join("\n") : summary);
  if (issues.length > 0) process.exitCode = 1;
}

async function runApply(file: string, options: OutputOptions): Promise<void> {
  const source = await readBooksFile(file);
  const revision = await withHub((hub) => applyBooks(hub, cliOperator(), { source, file }));
  printResult(options, { revision }, `Applied ${file} as revision ${revision}.`);
}

async function runList(options: OutputOptions): Promise<void> {
  const { books } = await withHub((hub) => getBooks(hub));
  const rows = books.map(({ id, name, accounts, trial_credit }) => [id, name, String(accounts), String(trial_credit)]);
  const table = formatColumns([["book", "name", "accounts", "trial credit (EUR)"], ...rows]).join("\n");
  printResult(options, { books }, books.length > 0 ? table : "No price books were applied yet.");
}

async function runShow(options: OutputOptions): Promise<void> {
  const { revision, source } = await withHub((hub) => getBooks(hub));
  if (revision === null) throw new OperatorError("No price books were applied yet.");
  printResult(options, { revision, source }, source.trimEnd());
}

interface AssignOptions extends OutputOptions {
  email: string;
  book?: string;
  none?: boolean;
  starts: BookStart;
}

async function runAssign({ email, book, none, starts, ...options }: AssignOptions): Promise<void> {
  if (book === undefined && !none) throw new OperatorError("Name a price book by --book, or use --none.");
  const assigned = book ?? null;
  await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    await assignBook(hub, cliOperator(), { id, book: assigned, starts });
  });
  const what = assigned === null ? "the prices of the catalogue" : `the price book ${assigned}`;
  const when = starts === "now" ? "is on" : "will be from the next month on, on";
  printResult(options, { email, book: assigned, starts }, `Account ${email} ${when} ${what}.`);
}
