import { invalidInput } from "../../errors";
import { isFinalStep, NO_STEP } from "./step";

/** How far a reader of a generation's stream has come: the last step, and the last line of the log. */
export interface Cursor {
  step: number;
  /** The number of the last line; 0 before the first one. */
  line: bigint;
}

/** Upper bound of steps: no generation is leased this often. */
const MAX_STEP = 1_000_000;
const MAX_LINE = 2n ** 63n - 1n;

/** The cursor of a reader that begins. */
export const startCursor = (): Cursor => ({ step: NO_STEP, line: 0n });

/** Returns the id of an event that stands for a cursor: only the step before the first line. */
export const formatCursor = ({ step, line }: Cursor): string => (line === 0n ? String(step) : `${step}-${line}`);

/** Returns the cursor of a `Last-Event-ID`. Throws 400 for any text that is not the id of an event. */
export function parseCursor(id: string): Cursor {
  const [, stepText = "", lineText = "0"] = /^(\d{1,10})(?:-(\d{1,19}))?$/.exec(id) ?? [];
  const step = stepText === "" ? Infinity : Number(stepText);
  const line = BigInt(lineText);
  if ((step <= MAX_STEP || isFinalStep(step)) && line <= MAX_LINE) return { step, line };
  throw invalidInput("Last-Event-ID", "must be the id of an event that this stream has sent; omit it to start now");
}
