import { createHash } from "node:crypto";
import { Busboy } from "@fastify/busboy";
import type { SentFile } from "../../domain/openai/keep-file";
import { type AppError, invalidInput } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import { isStorable } from "../../lib/json/storable";
import { readBytes, rejectEncodedBody } from "../middleware/bytes";

const MAX_FIELDS = 100;
const MAX_FILES = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_NAME_LENGTH = 100;
/** Fed to the parser at once; between two of them other requests are served. */
const SLICE_BYTES = 256 * 1024;

/** A form as it arrived. */
export interface ParsedForm {
  /** Values by field, in the order of the form; a list has several, and `[]` at the end of its name is removed. */
  fields: Map<string, string[]>;
  files: SentFile[];
  /** SHA-256 of all parts; the same for a form that a client sends again with another boundary. */
  digest: Buffer;
}

export interface Form extends ParsedForm {
  /** Drops the files and releases their memory. */
  release: () => void;
}

/**
 * Reads a whole form of at most `maxBytes`. Rejects with 413, 415, 503 when the hub holds too many bodies, and 400 for
 * anything that is no complete form.
 */
export async function readForm(request: Request, maxBytes: number, reservation: Reservation): Promise<ParsedForm> {
  rejectEncodedBody(request);
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw invalidInput("Content-Type", "must be multipart/form-data with a boundary");
  const bytes = await readBytes(request, maxBytes + MAX_FIELD_BYTES, reservation);
  return parseForm(type, bytes);
}

async function parseForm(type: string, bytes: Uint8Array<ArrayBuffer>): Promise<ParsedForm> {
  const parser = createParser(type);
  const fields = new Map<string, string[]>();
  const files: SentFile[] = [];
  let error: AppError | undefined;
  const reject = (message: string) => (error ??= invalidInput("body", message));

  parser.on("field", (sent, value, nameTruncated, truncated) => {
    const field = toName(sent);
    if (nameTruncated || field.length > MAX_NAME_LENGTH) return reject("has a field with too long a name");
    if (truncated) return (error ??= invalidInput(field, `may have at most ${MAX_FIELD_BYTES} bytes`));
    if (!isStorable(value)) return (error ??= invalidInput(field, "must not hold \\u0000"));
    fields.set(field, [...(fields.get(field) ?? []), value]);
  });
  parser.on("file", (sent, stream, name) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    // The parser emits the same error.
    stream.on("error", () => undefined);
    stream.on("end", () => files.push({ field: toName(sent), name: name ?? "", content: Buffer.concat(chunks) }));
  });
  parser.on("partsLimit", () => reject("has too many parts"));
  parser.on("filesLimit", () => reject(`may have at most ${MAX_FILES} files`));
  parser.on("fieldsLimit", () => reject(`may have at most ${MAX_FIELDS} fields`));
  const done = new Promise<void>((resolve) => {
    parser.on("finish", () => resolve());
    parser.on("error", () => {
      reject("is cut off: the form does not end with its boundary");
      resolve();
    });
  });
  for (let at = 0; at < bytes.length && !error; at += SLICE_BYTES) {
    const slice = Buffer.from(bytes.buffer, at, Math.min(SLICE_BYTES, bytes.length - at));
    await Promise.race([new Promise<void>((resolve) => parser.write(slice, () => resolve())), done]);
  }
  if (!error) {
    parser.end();
    await done;
  }
  if (error) throw error;
  return { fields, files, digest: hashParts(fields, files) };
}

const toName = (sent: string | undefined) => (sent ?? "").replace(/\[\]$/, "");

function createParser(type: string) {
  try {
    const limits = { fields: MAX_FIELDS, files: MAX_FILES, parts: MAX_FIELDS + MAX_FILES, fieldSize: MAX_FIELD_BYTES };
    return new Busboy({ headers: { "content-type": type }, limits });
  } catch {
    throw invalidInput("Content-Type", "must be multipart/form-data with a boundary");
  }
}

function hashParts(fields: Map<string, string[]>, files: SentFile[]): Buffer {
  const hash = createHash("sha256").update(JSON.stringify([...fields]));
  for (const { field, content } of files) {
    hash.update(JSON.stringify([field, createHash("sha256").update(content).digest("hex")]));
  }
  return hash.digest();
}
