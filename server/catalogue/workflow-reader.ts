import { readFileSync } from "node:fs";
import path from "node:path";

/** A workflow from a file beside the catalogue, or why there is none. */
type WorkflowFile = { workflow: unknown } | { issue: string };

/** Returns the workflow in a file that a catalogue names. */
export type WorkflowReader = (file: string) => WorkflowFile;

/** Rejects every file: an applied catalogue contains its workflows. */
export const rejectFiles: WorkflowReader = () => ({ issue: "is not the mapping of a workflow" });

/** Returns a reader of files by their path relative to a folder, which reads each file once. */
export function createWorkflowReader(folder: string): WorkflowReader {
  const files = new Map<string, WorkflowFile>();
  return (file) => {
    const found = files.get(file) ?? readWorkflowFile(path.resolve(folder, file));
    files.set(file, found);
    return found;
  };
}

function readWorkflowFile(file: string): WorkflowFile {
  try {
    return { workflow: JSON.parse(readFileSync(file, "utf8")) as unknown };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { issue: code ? `cannot be read (${code})` : "is not a file in JSON" };
  }
}

/** Returns a workflow as written in a catalogue: the mapping itself, or that of a file. */
export const resolveWorkflow = (written: unknown, readWorkflow: WorkflowReader): WorkflowFile =>
  typeof written === "string" ? readWorkflow(written) : { workflow: written };
