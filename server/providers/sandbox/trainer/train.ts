import { loadSharp } from "../../../lib/pictures/load-sharp";
import { yieldOnce } from "../../../lib/yield-once";
import type { Failure } from "../../failure";
import { describeUnavailable } from "../../input-unavailable";
import type { OutputContent } from "../../job";
import { getScriptedFailure, parseScript, pause } from "../script";
import { readSquare } from "../square";
import { Input } from "./model";
import { type Colour, countColours, createInitialPalette, refinePalette, type Share, toHex } from "./palette";

export interface Training {
  input: Record<string, unknown>;
  /** Counts from 1. */
  attempt: number;
  /** The last checkpoint of an earlier attempt, or null. */
  checkpoint: unknown;
}

interface TrainingIo {
  read: (url: string) => Promise<Buffer>;
  /** Called after every step. */
  report: (progress: number, checkpoint: unknown) => Promise<void>;
  signal: AbortSignal;
}

export type TrainingResult = { state: "succeeded"; outputs: OutputContent[] } | { state: "failed"; error: Failure };

interface Checkpoint {
  step: number;
  palette: Colour[];
}

/**
 * Finds the shared colours of the pictures step by step, from the last checkpoint, and returns a contact sheet (PNG) and a
 * description (JSON). The same input gives the same result, even after an interruption. Rejects with the signal's reason.
 */
export async function trainPalette({ input, attempt, checkpoint }: Training, io: TrainingIo): Promise<TrainingResult> {
  const { images, trigger_word, steps } = Input.parse(input);
  const script = parseScript(trigger_word);
  const failure = getScriptedFailure(script, () => attempt === 1, "trigger word");
  if (failure) return { state: "failed", error: failure };
  try {
    const squares = await readSquares(images, io);
    const counts = countColours(Buffer.concat(squares));
    const start = parseCheckpoint(checkpoint) ?? { step: 0, palette: createInitialPalette(trigger_word) };
    let shares: Share[] = refinePalette(start.palette, counts);
    for (let step = start.step + 1; step <= steps; step += 1) {
      await pause(script.seconds / steps, io.signal);
      const palette = shares.map(({ colour }) => colour);
      await io.report(step / (steps + 1), { step: step - 1, palette } satisfies Checkpoint);
      shares = refinePalette(palette, counts);
    }
    const outputs = await buildOutputs(squares, shares, { images: images.length, trigger_word, steps });
    return { state: "succeeded", outputs };
  } catch (error) {
    return { state: "failed", error: describeUnavailable(error) };
  }
}

async function readSquares(images: string[], io: TrainingIo): Promise<Buffer[]> {
  const squares: Buffer[] = [];
  for (const [index, url] of images.entries()) {
    squares.push(await readSquare(io, url, { place: `images.${index}`, edge: EDGE }));
  }
  return squares;
}

function parseCheckpoint(checkpoint: unknown): Checkpoint | null {
  return checkpoint !== null && typeof checkpoint === "object" && "palette" in checkpoint
    ? (checkpoint as Checkpoint)
    : null;
}

async function buildOutputs(
  squares: Buffer[],
  shares: Share[],
  details: Record<string, unknown>,
): Promise<OutputContent[]> {
  const palette = shares.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share);
  const description = {
    ...details,
    palette: palette.map(({ colour, share }) => ({ hex: toHex(colour), share: Math.round(share * 1e4) / 1e4 })),
  };
  return [
    { mediaType: "image/png", content: yieldOnce(await drawSheet(squares, palette)) },
    { mediaType: "application/json", content: yieldOnce(Buffer.from(JSON.stringify(description))) },
  ];
}

/** Edge of a picture on the sheet, in pixels. */
const EDGE = 192;
const GAP = 16;
const STRIPE_HEIGHT = 64;

/** Returns a contact sheet as PNG: raw RGB squares of EDGE in rows, and the palette below, with widths by share. */
async function drawSheet(squares: Buffer[], palette: Share[]): Promise<Buffer> {
  const sharp = await loadSharp();
  const columns = Math.ceil(Math.sqrt(squares.length));
  const rows = Math.ceil(squares.length / columns);
  const width = GAP + columns * (EDGE + GAP);
  const height = GAP + rows * (EDGE + GAP) + STRIPE_HEIGHT + GAP;
  const pictures = squares.map((input, index) => ({
    input,
    raw: { width: EDGE, height: EDGE, channels: 3 as const },
    left: GAP + (index % columns) * (EDGE + GAP),
    top: GAP + Math.floor(index / columns) * (EDGE + GAP),
  }));
  const stripe = {
    input: Buffer.from(paintStripe(width - 2 * GAP, palette)),
    left: GAP,
    top: height - STRIPE_HEIGHT - GAP,
  };
  return sharp({ create: { width, height, channels: 3, background: "white" } })
    .composite([...pictures, stripe])
    .png()
    .toBuffer();
}

function paintStripe(width: number, palette: Share[]): string {
  let left = 0;
  const bars = palette.map(({ colour, share }) => {
    const bar = `<rect x="${left}" width="${share * width}" height="${STRIPE_HEIGHT}" fill="${toHex(colour)}"/>`;
    left += share * width;
    return bar;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${STRIPE_HEIGHT}">${bars.join("")}</svg>`;
}
