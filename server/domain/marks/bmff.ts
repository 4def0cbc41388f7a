import { expectStructure, read, readOrEnd, readStart, type ScannedFile, type Steps, Unmarkable } from "./scan";

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
  let isFirst = true;
  let hasIndex = false;
  let isPlaced = false;
  const place = (at: number) => {
    if (!isPlaced) file.edit(at, 0, writeUuidBox(xmp));
    isPlaced = true;
  };
  for (;;) {
    const at = file.position;
    const header = yield* readOrEnd(8);
    if (header === null) break;
    const type = header.toString("latin1", 4);
    expectStructure(/^[\x20-\x7e]{4}$/.test(type) && isFirst === (type === "ftyp"));
    isFirst = false;
    if (type === "mfra") place(at);
    // Size 0 means that the box extends to the end of the file, so nothing can be appended.
    const size = header.readUInt32BE(0) === 1 ? Number((yield* read(8)).readBigUInt64BE()) : header.readUInt32BE(0);
    expectStructure(size <= Number.MAX_SAFE_INTEGER && at + size >= file.position);
    hasIndex ||= type === "moov" || type === "meta";
    const left = at + size - file.position;
    const start = yield* readStart(startBytes.get(type) ?? 0, left);
    if (type === "uuid") rejectMakerBox(start);
    if (type === "meta" && start.includes(XMP_TYPE)) throw new Unmarkable("maker_xmp");
  }
  expectStructure(hasIndex);
  place(file.position);
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
