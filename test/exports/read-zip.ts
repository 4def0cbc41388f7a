import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** An archive as Python's `zipfile` reads it, which verified the checksum of every entry. */
export interface ReadZip {
  /** The first entry with a wrong checksum; null if there is none. */
  bad: string | null;
  names: string[];
  /** SHA-256 hashes of the contents of up to 1,000 entries. */
  hashes: Record<string, string>;
  /** The texts of entries without a folder. */
  texts: Record<string, string>;
  /** How many entries are stored without compression. */
  stored: number;
}

const script = `
import hashlib, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
entries = archive.infolist()
hashes = {e.filename: hashlib.sha256(archive.read(e)).hexdigest() for e in entries[:1000]}
texts = {e.filename: archive.read(e).decode() for e in entries if "/" not in e.filename}
print(json.dumps({"bad": archive.testzip(), "names": archive.namelist(), "hashes": hashes, "texts": texts,
  "stored": sum(e.compress_type == zipfile.ZIP_STORED for e in entries)}))
`;

/** Reads and verifies an archive by another program. */
export async function readZip(file: string): Promise<ReadZip> {
  const { stdout } = await promisify(execFile)("python3", ["-c", script, file], { maxBuffer: 256 * 1024 * 1024 });
  return JSON.parse(stdout) as ReadZip;
}
