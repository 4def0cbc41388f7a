import { readFile } from "node:fs/promises";
import path from "node:path";
import { CatalogueError } from "./catalogue-error";
import { createWorkflowReader, type WorkflowReader } from "./workflow-reader";

/** A catalogue in a file, beside which the workflows of its routes may be. */
interface CatalogueFile {
  file: string;
  text: string;
  readWorkflow: WorkflowReader;
}

/** Reads a catalogue. Throws CatalogueError with one sentence when the file cannot be read. */
export async function readCatalogueFile(file: string): Promise<CatalogueFile> {
  try {
    return { file, text: await readFile(file, "utf8"), readWorkflow: createWorkflowReader(path.dirname(file)) };
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
    throw new CatalogueError(file, [{ line: 0, path: "", message }]);
  }
}
