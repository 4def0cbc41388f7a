import { once } from "node:events";
import { Busboy } from "@fastify/busboy";
import { AppError, invalidInput } from "../../errors";
import { streamChunks } from "./chunks";
import { rejectEncodedBody } from "./content-encoding";

/** How much a form may have around its file, in other parts and between them. */
const MAX_AROUND_BYTES = 64 * 1024;
const MAX_OTHER_PARTS = 20;

/**
 * Returns the content of a form's file, the part called `name`, as it arrives. Other parts are ignored, because clients
 * of OpenAI's files send some. 413 at once when more than `most` bytes are declared; every mistake of the form is a 400
 * about `name`, which comes at the latest after the last byte, so that nothing may be kept before the end. The caller
 * counts the content itself.
 */
export function readFilePart(request: Request, name: string, most: number): AsyncIterable<Uint8Array> {
  rejectEncodedBody(request);
  const check = (received: number) => {
    if (received > most + MAX_AROUND_BYTES) {
      throw new AppError("payload_too_large", `The file may have at most ${most.toLocaleString("en")} bytes.`);
    }
  };
  check(Number(request.headers.get("content-length")));
  return contentOf(request, openForm(request.headers.get("content-type") ?? "", name), check);
}

async function* contentOf(request: Request, form: Form, check: (received: number) => void): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of bodyOf(request)) {
    check((received += chunk.byteLength));
    await form.push(chunk);
    yield* form.take();
  }
  await form.end();
  yield* form.take();
}

async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* streamChunks(request);
  } catch {
    throw invalidInput("body", "ended early");
  }
}

interface Form {
  /** Parses one more chunk. */
  push(chunk: Uint8Array): Promise<void>;
  /** Resolves when all has been parsed, or as much as could be. */
  end(): Promise<void>;
  /** What was parsed of the file since the last call, or the form's first fault. */
  take(): Uint8Array[];
}

function openForm(type: string, name: string): Form {
  const parser = parserOf(type, name);
  let fault: AppError | undefined;
  const chunks: Uint8Array[] = [];
  let found = false;
  let otherBytes = 0;
  const refuse = (message: string) => void (fault ??= invalidInput(name, message));
  const ignore = (bytes: number) => {
    otherBytes += bytes;
    if (otherBytes > MAX_AROUND_BYTES) refuse("must be the only large part of the form");
  };

  parser.on("file", (field, stream) => {
    if (field === name && found) refuse("must be the only part of this name");
    found ||= field === name;
    stream.on("data", (chunk: Uint8Array) => (field === name ? chunks.push(chunk) : ignore(chunk.byteLength)));
    // The parser itself tells it as well.
    stream.on("error", () => undefined);
  });
  parser.on("field", (field, value, _nameTruncated, truncated) => {
    if (field === name) refuse("must be a file: its part needs a filename");
    ignore(truncated ? Infinity : Buffer.byteLength(value));
  });
  parser.on("partsLimit", () => refuse(`may have at most ${MAX_OTHER_PARTS} other parts beside it`));
  const failed = new Promise<void>((resolve) => {
    parser.on("error", () => {
      refuse("is cut off: the form does not end with its boundary");
      resolve();
    });
  });
  const finished = once(parser, "finish").then(
    () => (found ? undefined : refuse(`is missing: the form must have a file called "${name}"`)),
    () => undefined,
  );
  return {
    push: (chunk) => Promise.race([new Promise<void>((resolve) => parser.write(chunk, () => resolve())), failed]),
    end() {
      parser.end();
      return Promise.race([finished, failed]);
    },
    take() {
      if (fault) throw fault;
      return chunks.splice(0);
    },
  };
}

function parserOf(type: string, name: string) {
  const form = /^multipart\/form-data\s*;/i.test(type);
  if (!form) throw invalidInput(name, "must be sent as multipart/form-data, with a boundary in the Content-Type");
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: { parts: MAX_OTHER_PARTS + 1, fieldSize: MAX_AROUND_BYTES },
    });
  } catch {
    throw invalidInput(name, "needs a boundary in the Content-Type of its form");
  }
}
