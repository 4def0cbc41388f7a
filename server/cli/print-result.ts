export interface OutputOptions {
  json?: boolean;
}

/** Prints the result of a command to stdout: as text, or with --json as one JSON document. */
export function printResult({ json }: OutputOptions, document: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}
