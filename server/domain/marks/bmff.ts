import { expectStructure, readBytes, readOrEnd, readStart, type ScannedFile, type Steps, Unmarkable } from "./scan";

const XMP_ID = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const C2PA_ID = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
/** The media type of an XMP item in an AVIF. */
const XMP_TYPE = "application/rdf+xml";
/** How many bytes of a box are examined. */
const startBytes = new Map([
  ["uuid", XMP_ID.length],
  ["meta", 16 * 1024],
]);

/**
 * Appends a `uuid` box to an MP4 or AVIF, so that no offset in the file changes. It precedes an index of fragments (`mfra`),
 * which players look for at the end.
 */
export function* scanBmff(file: ScannedFile, xmp: Buffer): Steps<void> {
  const types = new Set<string>();
  const place = (at: number) => file.edit(at, 0, writeUuidBox(xmp));
  for (let box = yield* readBoxHeader(file); box !== null; box = yield* readBoxHeader(file)) {
    const { type, at, size } = box;
    expectStructure((types.size === 0) === (type === "ftyp"));
    if (type === "mfra" && !types.has(type)) place(at);
    types.add(type);
    const start = yield* readStart(startBytes.get(type) ?? 0, size);
    if (type === "uuid") rejectMakerBox(start);
    if (type === "meta" && start.includes(XMP_TYPE)) throw new Unmarkable("maker_xmp");
  }
  expectStructure(types.has("moov") || types.has("meta"));
  if (!types.has("mfra")) place(file.position);
}

interface Box {
  type: string;
  /** Where the header begins. */
  at: number;
  /** The size of what follows the header. */
  size: number;
}

/** Reads the header of the next box; returns null at the end of the file. */
function* readBoxHeader(file: ScannedFile): Steps<Box | null> {
  const at = file.position;
  const header = yield* readOrEnd(8);
  if (header === null) return null;
  const type = header.toString("latin1", 4);
  const shortSize = header.readUInt32BE(0);
  // Size 0 means that the box extends to the end of the file, so nothing can be appended. Only media needs a long size.
  expectStructure(/^[\x20-\x7e]{4}$/.test(type) && shortSize !== 0 && (shortSize !== 1 || type === "mdat"));
  const total = shortSize === 1 ? Number((yield* readBytes(8)).readBigUInt64BE()) : shortSize;
  const size = total - (file.position - at);
  expectStructure(size >= 0 && total <= Number.MAX_SAFE_INTEGER);
  return { type, at, size };
}

function rejectMakerBox(id: Buffer): void {
  if (id.equals(C2PA_ID)) throw new Unmarkable("maker_c2pa");
  if (id.equals(XMP_ID)) throw new Unmarkable("maker_xmp");
}

function writeUuidBox(xmp: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(header.length + XMP_ID.length + xmp.length, 0);
  header.write("uuid", 4);
  return Buffer.concat([header, XMP_ID, xmp]);
}
