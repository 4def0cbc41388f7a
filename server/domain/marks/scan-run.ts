import type { Edit } from "./edits";
import type { UnmarkedReason } from "./mark";
import { type Scan, type Step, Unmarkable } from "./scan";

/** Files with more parts are stored unmarked, so that millions of tiny parts do not block the event loop. */
const MAX_STEPS = 200_000;
const EMPTY = Buffer.alloc(0);

/** Runs a scan on a file that arrives in chunks. */
export class ScanRun {
  /** Whether the scan has ended. */
  isOver = false;
  /** Why the file must be stored unchanged; null if it is marked, and until the scan has ended. */
  reason: UnmarkedReason | null = null;
  private readonly steps: ReturnType<Scan>;
  private step: Step = { skip: 0 };
  private stepCount = 0;
  private position = 0;
  /** The bytes of the current step that have arrived. */
  private arrived: Buffer = EMPTY;
  private skipped = 0;

  constructor(
    scan: Scan,
    xmp: Buffer,
    private readonly edits: Edit[],
  ) {
    const readPosition = () => this.position;
    const file = {
      get position() {
        return readPosition();
      },
      edit: (at: number, remove: number, insert: Buffer) => void edits.push({ at, remove, insert }),
    };
    this.steps = scan(file, xmp);
    this.resume(EMPTY);
  }

  /** How many bytes no later edit can change. */
  get settledBytes(): number {
    return "read" in this.step ? this.position - this.arrived.length : this.position;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.isOver;) at += this.consume(chunk.subarray(at));
  }

  /** Ends the scan, because the file has ended. */
  end(): void {
    if (this.isOver) return;
    const { step } = this;
    if ("last" in step || ("read" in step && step.orEnd && this.arrived.length === 0)) this.resume(this.arrived);
    if (!this.isOver) this.fail("unreadable");
  }

  /** Passes bytes to the current step and returns how many it consumed. */
  private consume(bytes: Buffer): number {
    const { step } = this;
    if ("last" in step) {
      this.position += bytes.length;
      this.arrived = lastBytes(Buffer.concat([this.arrived, lastBytes(bytes, step.last)]), step.last);
      return bytes.length;
    }
    const isRead = "read" in step;
    const missing = isRead ? step.read - this.arrived.length : step.skip - this.skipped;
    const taken = bytes.subarray(0, missing);
    this.position += taken.length;
    if (isRead) this.arrived = this.arrived.length === 0 ? taken : Buffer.concat([this.arrived, taken]);
    else this.skipped += taken.length;
    if (taken.length === missing) this.resume(this.arrived);
    return taken.length;
  }

  /** Runs the scan until a step needs bytes that have not arrived. */
  private resume(bytes: Buffer): void {
    let reply = bytes;
    try {
      do {
        this.stepCount += 1;
        if (this.stepCount > MAX_STEPS) throw new Unmarkable("unreadable");
        this.arrived = EMPTY;
        this.skipped = 0;
        const { done, value } = this.steps.next(reply);
        if (done) return void (this.isOver = true);
        this.step = value;
        reply = EMPTY;
      } while (needsNothing(this.step));
    } catch (error) {
      if (!(error instanceof Unmarkable)) throw error;
      this.fail(error.reason);
    }
  }

  private fail(reason: UnmarkedReason): void {
    this.isOver = true;
    this.reason = reason;
    this.edits.length = 0;
  }
}

const lastBytes = (bytes: Buffer, count: number): Buffer => bytes.subarray(Math.max(0, bytes.length - count));

const needsNothing = (step: Step): boolean => ("read" in step ? step.read === 0 : "skip" in step && step.skip === 0);
