/** The largest number of 32 bits; a field with it refers to one of 64 bits in a ZIP64 record. */
const MAX_UINT32 = 0xff_ff_ff_ff;
const MAX_UINT16 = 0xff_ff;
const RECORD_BYTES = 46;
const ZIP64_TAG = 0x00_01;
const ZIP64_VERSION = 45;
/** Where an archive's three last records begin in its tail. */
const LOCATOR_AT = 56;
const END_AT = 76;

/** The size of an archive's last records: the ZIP64 end of the directory, its locator, and the end of the directory. */
export const TAIL_BYTES = 98;

/** The parts of an archive: the contents with their headers, then the directory with a record for each of them. */
interface ZipShape {
  entries: number;
  contentBytes: number;
  directoryBytes: number;
}

/** Returns the shape of an archive from its last `TAIL_BYTES` bytes. */
export const readTail = (tail: Buffer): ZipShape => ({
  entries: Number(tail.readBigUInt64LE(32)),
  directoryBytes: Number(tail.readBigUInt64LE(40)),
  contentBytes: Number(tail.readBigUInt64LE(48)),
});

/**
 * Returns the last bytes of an archive of this shape, made from those of any other. Numbers that need no ZIP64 record are
 * also in the old one, for readers that know only that.
 */
export function writeTail(tail: Buffer, { entries, contentBytes, directoryBytes }: ZipShape): Buffer {
  const copy = Buffer.from(tail);
  for (const at of [24, 32]) copy.writeBigUInt64LE(BigInt(entries), at);
  copy.writeBigUInt64LE(BigInt(directoryBytes), 40);
  copy.writeBigUInt64LE(BigInt(contentBytes), 48);
  copy.writeBigUInt64LE(BigInt(contentBytes + directoryBytes), LOCATOR_AT + 8);
  for (const at of [8, 10]) copy.writeUInt16LE(Math.min(entries, MAX_UINT16), END_AT + at);
  copy.writeUInt32LE(Math.min(directoryBytes, MAX_UINT32), END_AT + 12);
  copy.writeUInt32LE(Math.min(contentBytes, MAX_UINT32), END_AT + 16);
  return copy;
}

/** Returns a directory whose contents begin this many bytes later, because other contents come first. */
export function moveDirectory(directory: Buffer, bytes: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < directory.length;) {
    const variable = [28, 30, 32].reduce((sum, field) => sum + directory.readUInt16LE(at + field), RECORD_BYTES);
    records.push(moveRecord(Buffer.from(directory.subarray(at, at + variable)), bytes));
    at += variable;
  }
  return Buffer.concat(records);
}

// The writer adds no comments, so a record ends with its extra fields, of which that of ZIP64 is the last.
function moveRecord(record: Buffer, bytes: number): Buffer {
  const offset = record.readUInt32LE(42);
  if (offset === MAX_UINT32) {
    const at = record.length - 8;
    record.writeBigUInt64LE(record.readBigUInt64LE(at) + BigInt(bytes), at);
    return record;
  }
  record.writeUInt32LE(Math.min(offset + bytes, MAX_UINT32), 42);
  if (offset + bytes < MAX_UINT32) return record;
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(ZIP64_TAG, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset + bytes), 4);
  record.writeUInt16LE(ZIP64_VERSION, 6);
  record.writeUInt16LE(record.readUInt16LE(30) + extra.length, 30);
  return Buffer.concat([record, extra]);
}
