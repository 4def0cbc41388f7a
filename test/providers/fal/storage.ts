import { randomUUID } from "node:crypto";
import type { DoubleRequest, DoubleResponse } from "../double";
import { FAL_KEY } from "./samples";

/** Returns the answer of fal's store and CDN; null for requests to other services. The CDN must never get the key. */
export function answerStorage(request: DoubleRequest, files: Map<string, DoubleResponse>): DoubleResponse | null {
  const { method, url, headers } = request;
  const { pathname } = url;
  if (pathname === "/storage/upload/initiate" && method === "POST") return initiateUpload(request);
  if (!/^\/(files|uploads)\//.test(pathname)) return null;
  if (headers.authorization !== undefined) return { status: 400, body: { detail: "A key was sent to the CDN" } };
  if (method === "GET") return files.get(pathname) ?? { status: 404, body: { detail: "Not found" } };
  const contentType = headers["content-type"] ?? "";
  if (method !== "PUT" || url.searchParams.get("content_type") !== contentType)
    return { status: 403, body: { detail: "The signature does not match" } };
  const content = { status: 200, headers: { "content-type": contentType }, body: request.body };
  files.set(pathname.replace("/uploads/", "/files/"), content);
  return { status: 200, body: {} };
}

function initiateUpload({ url, headers, json }: DoubleRequest): DoubleResponse {
  const { file_name, content_type } = (json ?? {}) as Record<string, unknown>;
  if (headers.authorization !== `Key ${FAL_KEY}`) return { status: 401, body: { detail: "Authorization required" } };
  if (url.searchParams.get("storage_type") !== "fal-cdn-v3" || typeof file_name !== "string" || !content_type)
    return { status: 400, body: { detail: "Invalid storage type or file" } };
  const path = `${randomUUID()}/${file_name}`;
  const signed = new URLSearchParams({ content_type: content_type as string });
  const body = { upload_url: `${url.origin}/uploads/${path}?${signed}`, file_url: `${url.origin}/files/${path}` };
  return { status: 200, body };
}
