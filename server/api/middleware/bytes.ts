import { AppError, invalidInput } from "../../errors";
import { chunksOf } from "./chunks";

/** The whole body, or 413 at the first byte too many, however its length was declared. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > most) throw tooLarge(most);
  try {
    // The HTTP parser holds a client to the length that it declared.
    return declared === null ? await collect(request, most) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    throw error instanceof AppError ? error : invalidInput("body", "ended early");
  }
}

async function collect(request: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const tooLarge = (most: number) =>
  new AppError("payload_too_large", `The body may have at most ${most.toLocaleString("en")} bytes.`);
