import { type Cursor, formatCursor } from "./cursor";
import type { EventSink } from "./event-sink";
import type { StreamedGeneration } from "./read-generations";
import type { RenderedLine } from "./read-lines";
import { isFinalStep, NO_STEP, stepOf, stepsAfter } from "./step";

/** A reader of a generation's stream, and what it has received. */
export interface Follower {
  sink: EventSink;
  cursor: Cursor;
}

interface Shown {
  /** Whether the row is not what the readers were shown. */
  isNew: boolean;
  render: (step: number) => Uint8Array;
  lines: RenderedLine[];
}

/**
 * Sends what a reader has not received: each step, progress within one, and log lines, all of them before the final record.
 */
export function sendTo({ sink, cursor }: Follower, row: StreamedGeneration, { isNew, render, lines }: Shown): void {
  const current = stepOf(row);
  const isProgress = isNew && current === cursor.step && !isFinalStep(current);
  const sendStep = (step: number) => {
    cursor.step = step;
    sink.send(formatCursor(cursor), render(step));
  };
  const steps = stepsAfter(row, cursor.step);
  for (const step of steps.filter((each) => !isFinalStep(each))) sendStep(step);
  if (isProgress) sendStep(current);
  for (const { n, event } of lines) {
    // A reader that arrives after the end gets only the result.
    if (n <= cursor.line || cursor.step === NO_STEP) continue;
    cursor.line = n;
    sink.send(formatCursor(cursor), event);
  }
  if (!isFinalStep(current)) return;
  if (steps.includes(current)) sendStep(current);
  sink.end();
}
