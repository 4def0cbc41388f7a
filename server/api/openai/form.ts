import { createHash } from "node:crypto";
import type { SentFile } from "../../domain/openai";
import { AppError, invalidInput } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import { isStorable } from "../../lib/json/storable";
import { checkDeclaredLength, rejectEncodedBody, streamBounded } from "../middleware/bytes";
import { createMultipartParser, type MultipartParser } from "../middleware/multipart";

const MAX_FIELDS = 100;
const MAX_FILES = 20;
const DEFAULT_MAX_FIELD_BYTES = 64 * 1024;
/** All fields together, which are hashed at once. */
const MAX_TEXT_LENGTH = MAX_FIELDS * DEFAULT_MAX_FIELD_BYTES;
const MAX_NAME_LENGTH = 100;

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
 * Reads a whole form of at most `maxBytes`, with texts of at most `maxFieldBytes`. Rejects with 413, 415, 503 when the hub
 * holds too many bodies, and 400 for an incomplete or malformed form.
 */
export async function readForm(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
  maxFieldBytes = DEFAULT_MAX_FIELD_BYTES,
): Promise<ParsedForm> {
  rejectEncodedBody(request);
  const type = request.headers.get("content-type") ?? "";
  const limits = { fields: MAX_FIELDS, files: MAX_FILES, parts: MAX_FIELDS + MAX_FILES, fieldSize: maxFieldBytes };
  const form = collectParts(createMultipartParser(type, "Content-Type", limits), maxFieldBytes);
  const maxFormBytes = maxBytes + DEFAULT_MAX_FIELD_BYTES;
  checkDeclaredLength(request, maxFormBytes);
  try {
    for await (const chunk of streamBounded(request, { maxBytes: maxFormBytes, reservation })) {
      await form.push(chunk);
      if (form.hasFailed()) break;
    }
  } catch (error) {
    throw error instanceof AppError ? error : invalidInput("body", "ended early");
  }
  return form.end();
}

interface FormParts {
  push(chunk: Uint8Array): Promise<void>;
  hasFailed(): boolean;
  /** Returns the parts of a complete form. Throws the form's first error. */
  end(): Promise<ParsedForm>;
}

function collectParts(parser: MultipartParser, maxFieldBytes: number): FormParts {
  const fields = new Map<string, string[]>();
  const files: SentFile[] = [];
  let textLength = 0;
  let error: AppError | undefined;
  const reject = (message: string) => (error ??= invalidInput("body", message));

  parser.on("field", (sent, value, nameTruncated, truncated) => {
    const field = toName(sent);
    if (nameTruncated || field.length > MAX_NAME_LENGTH) return reject("has a field with too long a name");
    if (truncated) return (error ??= invalidInput(field, `may have at most ${maxFieldBytes} bytes`));
    if ((textLength += value.length) > MAX_TEXT_LENGTH) return reject("has too much text");
    if (!isStorable(value)) return (error ??= invalidInput(field, "must not hold \\u0000"));
    fields.set(field, [...(fields.get(field) ?? []), value]);
  });
  parser.on("file", (sent, stream, name) => {
    const chunks: Uint8Array[] = [];
    // Hashed as it arrives: the hash of a whole recording takes a tenth of a second.
    const hash = createHash("sha256");
    stream.on("data", (chunk: Buffer) => {
      hash.update(chunk);
      chunks.push(chunk);
    });
    // The parser emits the same error.
    stream.on("error", () => undefined);
    stream.on("end", () => files.push({ field: toName(sent), name: name ?? "", chunks, sha256: hash.digest("hex") }));
  });
  parser.on("partsLimit", () => reject("has too many parts"));
  parser.on("filesLimit", () => reject(`may have at most ${MAX_FILES} files`));
  parser.on("fieldsLimit", () => reject(`may have at most ${MAX_FIELDS} fields`));
  parser.on("error", () => reject("is cut off: the form does not end with its boundary"));
  const hasFailed = () => error !== undefined;
  return {
    push: (chunk) => parser.push(chunk, hasFailed),
    hasFailed,
    async end() {
      if (!error) await parser.end();
      if (error) throw error;
      return { fields, files, digest: hashParts(fields, files) };
    },
  };
}

const toName = (sent: string | undefined) => (sent ?? "").replace(/\[\]$/, "");

function hashParts(fields: Map<string, string[]>, files: SentFile[]): Buffer {
  const hash = createHash("sha256").update(JSON.stringify([...fields]));
  for (const { field, sha256 } of files) hash.update(JSON.stringify([field, sha256]));
  return hash.digest();
}
