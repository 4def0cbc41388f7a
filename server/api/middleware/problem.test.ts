import pino from "pino";
import { expect, test } from "vitest";
import { z } from "zod";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import { AppError } from "../../errors";
import { createRateView } from "../../lib/rate-view";
import type { RequestContext } from "../request-context";
import { problemResponse } from "./problem";

const hub = await testHub({ BASE_URL: "https://hub.test" });
const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
const CHAT = "/api/v1/hub/chat/completions";
const call = (path: string): RequestContext => ({
  hub: deriveHub(hub, { log }),
  requestId: "request-1",
  method: "POST",
  path,
  operation: "test",
  address: "192.0.2.1",
  startedAt: 0,
  envelope: path === CHAT ? "chat" : "problem",
  headers: { "X-Request-Id": "request-1" },
  rates: createRateView({}),
});
const answer = async (path: string, error: unknown) => {
  const response = await problemResponse(call(path), error);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test.each([
  ["a plain error", new Error("secret table api_key")],
  ["a ZodError that no input caused", new z.ZodError([])],
  ["something that is no error", "secret"],
])("turns %s into a 500 without its message, and logs one line with the request's id", async (_case, error) => {
  lines.length = 0;
  const { status, body } = await answer("/api/v1/me", error);
  expect([status, body.code]).toEqual([500, "internal_error"]);
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ requestId: "request-1", method: "POST", path: "/api/v1/me" });
});

test("does not log a rejected request", async () => {
  lines.length = 0;
  await answer("/api/v1/me", new AppError("model_not_found"));
  expect(lines).toEqual([]);
});

test("a 401 contains the error member of OpenAI's clients on the chat path only", async () => {
  const error = new AppError("unauthorized", "No key.");
  const chat = await answer(CHAT, error);
  expect(chat.body).toMatchObject({
    code: "unauthorized",
    error: { message: "No key.", code: "unauthorized", type: "authentication_error" },
  });
  expect((await answer("/api/v1/me", error)).body).not.toHaveProperty("error");
});
