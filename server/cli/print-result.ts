export interface OutputOptions {
  json?: boolean;
}

/** Prints the answer of a command on stdout: for people, or with --json as one document. */
export function printResult({ json }: OutputOptions, document: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}
