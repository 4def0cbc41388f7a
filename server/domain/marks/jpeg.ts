import { expectStructure, readBytes, readLast, readStart, type ScannedFile, type Steps, Unmarkable } from "./scan";

const XMP = "http://ns.adobe.com/xap/1.0/\0";
const EXIF = "Exif\0\0";
/** The prefix of an APP11 segment with JUMBF boxes, which contain C2PA manifests. */
const BOXES = "JP";

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP11 = 0xeb;
const START_OF_SCAN = 0xda;
const isSegment = (marker: number) => marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd9);

/** JFIF has at most two segments, and Exif one. */
const MAX_FIRST_SEGMENTS = 3;

/** Inserts an APP1 segment after those of JFIF and Exif, which have to be the first. */
export function* scanJpeg(file: ScannedFile, xmp: Buffer): Steps<void> {
  expectStructure((yield* readBytes(2)).equals(Buffer.from([0xff, 0xd8])));
  let isPlaced = false;
  for (let segments = 0; ; segments += 1) {
    const { at, marker, name } = yield* readSegment(file);
    const isFirst = marker === APP0 || (marker === APP1 && name.startsWith(EXIF));
    if (!isPlaced && (!isFirst || segments === MAX_FIRST_SEGMENTS)) {
      file.edit(at, 0, writeSegment(xmp));
      isPlaced = true;
    }
    if (marker === START_OF_SCAN) break;
  }
  // Every JPEG ends with this marker, even when a second picture follows the first.
  expectStructure((yield* readLast(2)).equals(Buffer.from([0xff, 0xd9])));
}

interface Segment {
  /** Where the segment begins. */
  at: number;
  marker: number;
  /** Its first bytes. */
  name: string;
}

/** Reads the next segment. Throws Unmarkable for one with metadata of the maker. */
function* readSegment(file: ScannedFile): Steps<Segment> {
  const at = file.position;
  const start = yield* readBytes(4);
  const marker = start[1]!;
  const length = start.readUInt16BE(2) - 2;
  expectStructure(start[0] === 0xff && isSegment(marker) && length >= 0);
  const name = (yield* readStart(XMP.length, length)).toString("latin1");
  if (marker === APP1 && name === XMP) throw new Unmarkable("maker_xmp");
  if (marker === APP11 && name.startsWith(BOXES)) throw new Unmarkable("maker_c2pa");
  return { at, marker, name };
}

function writeSegment(xmp: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(XMP, "latin1"), xmp]);
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
