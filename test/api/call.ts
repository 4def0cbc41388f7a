import { expect } from "vitest";
import type { Host } from "./hosts";
import { expectPublished, PUBLIC } from "./published";

const CHAT = "/api/v1/hub/chat/completions";

export interface Request {
  key?: string;
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined for anything else. */
  body: Record<string, unknown>;
  bytes: Buffer;
}

/** Sends one request to the API. Fails unless the response is as the OpenAPI document and the contract describe. */
export async function callApi(
  host: Host | Pick<Host, "url">,
  method: string,
  path: string,
  request: Request = {},
): Promise<Reply> {
  const { key, body } = request;
  const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(host.url + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...request.headers,
    },
    signal: request.signal,
    body: isRaw ? (body as string | undefined) : JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type");
  const parsed = /json$/.test(type ?? "") && bytes.length > 0 ? (JSON.parse(bytes.toString()) as unknown) : undefined;
  const [pathname] = path.split("?");
  expect(response.headers.get("x-request-id"), `${method} ${path}`).toMatch(/^[\w.-]{8,128}$/);
  expectPublished(method, pathname!, response.status, type, parsed);
  if (response.status >= 400 && method !== "HEAD") expectProblem(pathname!, response.status, type, parsed);
  return { status: response.status, headers: response.headers, body: parsed as Record<string, unknown>, bytes };
}

function expectProblem(path: string, status: number, type: string | null, body: unknown): void {
  if (path === CHAT && type !== "application/problem+json") return expectChatError(type, body);
  expect(type).toBe("application/problem+json");
  const { code } = body as { code: string };
  expect(body).toMatchObject({
    type: `${PUBLIC}/docs/hub/errors#${code}`,
    title: expect.any(String) as string,
    status,
    code: expect.stringMatching(/^[a-z_]+$/) as string,
    detail: expect.any(String) as string,
    instance: path,
  });
}

function expectChatError(type: string | null, body: unknown): void {
  expect(type).toBe("application/json");
  expect((body as { error: { code: string } }).error.code).not.toBe("unauthorized");
  expect(body).toMatchObject({
    error: {
      message: expect.any(String) as string,
      code: expect.stringMatching(/^[a-z_]+$/) as string,
      type: "invalid_request_error",
      metadata: { provider_name: "Generation Hub" },
    },
  });
}
