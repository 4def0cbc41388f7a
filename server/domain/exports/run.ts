import type { Ctx } from "../../context";
import type { ExportsHub } from "./hub";
import type { Task } from "./lease";
import type { MissingFile } from "./read-rows";

/** An export that this process makes, until its signal aborts. */
export interface Run {
  hub: ExportsHub;
  /** The account whose data is read. */
  ctx: Ctx<ExportsHub>;
  task: Task;
  signal: AbortSignal;
  /** How many rows and files were written. */
  done: number;
  /** The files that are missing in the part that is being written. */
  missing: MissingFile[];
}

/** The content of a file could not be read, although the storage has it. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";

  constructor(
    readonly fileId: string,
    cause: unknown,
  ) {
    super("a file could not be read", { cause });
  }
}

/** An export that cannot succeed by trying again. */
export class ExportFailed extends Error {
  override readonly name = "ExportFailed";
}
