import { fileTooLarge, invalidInput, type AppError } from "../../errors";
import { streamChunks, rejectEncodedBody } from "./bytes";
import { createMultipartParser } from "./multipart";

/** Limits everything in a form except its file. */
const MAX_OTHER_BYTES = 64 * 1024;
const MAX_OTHER_PARTS = 20;

/** A file of a form. */
interface FilePart {
  /** The content as it arrives. */
  chunks: AsyncIterable<Uint8Array>;
  /** Returns the file name that the client sent, "" without one; call it after the content has ended. */
  name: () => string;
}

/**
 * Returns a form's file, the part called `name`. Other parts are ignored, because clients of OpenAI's files API send some.
 * Throws 413 if the request declares more than `maxBytes`; the caller limits the content itself. A malformed form is a 400
 * for `name`, which may come only after the last byte: until then the caller must not commit the content.
 */
export function readFilePart(request: Request, name: string, maxBytes: number): FilePart {
  rejectEncodedBody(request);
  const checkSize = (received: number) => {
    if (received > maxBytes + MAX_OTHER_BYTES) throw fileTooLarge(maxBytes);
  };
  checkSize(Number(request.headers.get("content-length")));
  const form = createFormParser(request.headers.get("content-type") ?? "", name);
  return { chunks: readContent(request, form, checkSize), name: form.fileName };
}

async function* readContent(
  request: Request,
  form: FormParser,
  checkSize: (received: number) => void,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of readBody(request)) {
    checkSize((received += chunk.byteLength));
    await form.push(chunk);
    yield* form.takeContent();
  }
  await form.end();
  yield* form.takeContent();
}

async function* readBody(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* streamChunks(request);
  } catch {
    throw invalidInput("body", "ended early");
  }
}

interface FormParser {
  /** Parses the next chunk. */
  push(chunk: Uint8Array): Promise<void>;
  /** Resolves when the form is parsed as far as possible. */
  end(): Promise<void>;
  /** Returns the file content parsed since the last call, or throws the form's first error. */
  takeContent(): Uint8Array[];
  /** Returns the file name of the part, without folders; "" if it has none. */
  fileName: () => string;
}

function createFormParser(type: string, name: string): FormParser {
  const limits = { parts: MAX_OTHER_PARTS + 1, fieldSize: MAX_OTHER_BYTES };
  // Some clients send bytes with their media type alone. A field has none, or is text.
  const isPartAFile = (field?: string, partType?: string, sentName?: string) =>
    sentName !== undefined || partType === "application/octet-stream" || (field === name && partType !== "text/plain");
  const parser = createMultipartParser(type, name, limits, isPartAFile);
  let firstError: AppError | undefined;
  const chunks: Uint8Array[] = [];
  let found = false;
  let fileName = "";
  let otherBytes = 0;
  const reject = (message: string) => void (firstError ??= invalidInput(name, message));
  const countOtherBytes = (bytes: number) => {
    otherBytes += bytes;
    if (otherBytes > MAX_OTHER_BYTES) reject("must be the only large part of the form");
  };

  parser.on("file", (field, stream, sentName) => {
    if (field === name && found) reject("must be the only part of this name");
    if (field === name && !found) fileName = sentName ?? "";
    found ||= field === name;
    stream.on("data", (chunk: Uint8Array) => (field === name ? chunks.push(chunk) : countOtherBytes(chunk.byteLength)));
    // The parser emits the same error.
    stream.on("error", () => undefined);
  });
  parser.on("field", (field, value, _nameTruncated, truncated) => {
    if (field === name) reject("must be a file: its part needs a filename or a media type");
    countOtherBytes(truncated ? Infinity : Buffer.byteLength(value));
  });
  parser.on("partsLimit", () => reject(`may have at most ${MAX_OTHER_PARTS} other parts beside it`));
  parser.on("error", () => reject("is cut off: the form does not end with its boundary"));
  return {
    push: (chunk) => parser.push(chunk, () => firstError !== undefined),
    async end() {
      await parser.end();
      if (!found) reject(`is missing: the form must have a file called "${name}"`);
    },
    takeContent() {
      if (firstError) throw firstError;
      return chunks.splice(0);
    },
    fileName: () => fileName,
  };
}
