import { createHash, randomUUID } from "node:crypto";
import type { FileObject, Page } from "replicate";
import type { DoubleRequest, DoubleResponse } from "../double";
import { notFound, problem } from "./models";

const MAX_BYTES = 100 * 1024 * 1024;
const MAX_NAME_BYTES = 255;
const RETENTION_MS = 86_400_000;

/** A file that was uploaded to the double. */
export interface StoredFile {
  shown: FileObject;
  name: string;
  content: Buffer;
}

/** Answers a request to the Files API below `base`. */
export async function respondToFiles(
  request: DoubleRequest,
  files: Map<string, StoredFile>,
  { base, now }: { base: string; now: Date },
): Promise<DoubleResponse> {
  const [, id] = /^\/v1\/files(?:\/([^/]+))?$/.exec(request.url.pathname) ?? [];
  if (id === undefined) {
    if (request.method === "POST") return storeFile(request, files, base, now);
    const page: Page<FileObject> = { results: [...files.values()].map(({ shown }) => shown).reverse() };
    return { status: 200, body: page };
  }
  const file = files.get(id);
  if (!file) return notFound;
  if (request.method !== "DELETE") return { status: 200, body: file.shown };
  files.delete(id);
  return { status: 204 };
}

async function storeFile(
  { headers, body }: DoubleRequest,
  files: Map<string, StoredFile>,
  base: string,
  now: Date,
): Promise<DoubleResponse> {
  const form = await readForm(headers["content-type"] ?? "", body);
  const file = form?.get("content");
  if (!(file instanceof File)) return problem(422, "Input validation failed", "- content: is required\n");
  if (file.size > MAX_BYTES) return problem(413, "Content too large", "A file may have 100 MB.");
  if (file.name === "" || Buffer.byteLength(file.name) > MAX_NAME_BYTES)
    return problem(422, "Input validation failed", "- filename: is not valid\n");
  const metadata = form!.get("metadata");
  const content = Buffer.from(await file.arrayBuffer());
  const id = randomUUID().replaceAll("-", "").slice(0, 26);
  const shown: FileObject = {
    id,
    content_type: file.type || "application/octet-stream",
    size: content.length,
    checksums: { sha256: createHash("sha256").update(content).digest("hex") },
    metadata: metadata instanceof File ? (JSON.parse(await metadata.text()) as Record<string, unknown>) : {},
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + RETENTION_MS).toISOString(),
    urls: { get: `${base}/files/${id}` },
  };
  files.set(id, { shown, name: file.name, content });
  return { status: 201, body: shown };
}

const readForm = (type: string, body: Buffer): Promise<FormData | null> =>
  new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData().catch(() => null);
