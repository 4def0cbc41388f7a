import type { SlicedWork } from "../../lib/slices";
import type { DataSource } from "./attachment";

/** How many first bytes of a content show what it is. */
export const HEAD_BYTES = 3_072;
const HEAD_LENGTH = (HEAD_BYTES / 3) * 4;
const SLICE_LENGTH = 256 * 1024;

/** Returns the first bytes of a content. */
export const decodeHead = ({ value, start }: DataSource): Buffer =>
  Buffer.from(value.slice(start, start + HEAD_LENGTH), "base64");

/** Returns whether a content begins as a PDF does. */
export const isPdf = (content: Buffer): boolean => content.toString("latin1", 0, PDF_MARK.length) === PDF_MARK;

const PDF_MARK = "%PDF-";

/** Returns whether data is base64 with at least one byte. */
export function* checkBase64({ value, start }: DataSource): SlicedWork<boolean> {
  const padding = /={0,2}$/.exec(value.slice(-2))![0].length;
  const end = value.length - padding;
  if (end <= start || (value.length - start) % 4 === 1) return false;
  for (let at = start; at < end; at += SLICE_LENGTH) {
    if (!/^[A-Za-z0-9+/]*$/.test(value.slice(at, Math.min(at + SLICE_LENGTH, end)))) return false;
    yield;
  }
  return true;
}
