import { expect, test } from "vitest";
import { operations } from "../../document";
import { buildRequest, type TriedValues } from "./build-request";
import { triableOperation } from "./triable-operation";

const triable = (operationId: string) => triableOperation(operations.find((one) => one.operationId === operationId)!);
const entered = (more: Partial<TriedValues>): TriedValues => ({
  values: {},
  text: "{}",
  file: null,
  token: "t",
  ...more,
});

test("a request has what was entered, each in its place", () => {
  const values = { id: "a/b", limit: "5", cursor: "", "Idempotency-Key": "k" };
  expect(buildRequest(triable("listWebhookDeliveries"), entered({ values }))).toEqual({
    method: "GET",
    path: "/api/v1/hub/webhooks/a%2Fb/deliveries?limit=5",
    headers: {},
    token: "t",
    body: undefined,
  });
  expect(buildRequest(triable("createGeneration"), entered({ values, text: '{"model":"m"}' }))).toEqual({
    method: "POST",
    path: "/api/v1/hub/generations",
    token: "t",
    body: '{"model":"m"}',
    headers: { "Idempotency-Key": "k", "Content-Type": "application/json" },
  });
});

test.each([
  ["createGeneration", { token: null }, "Enter an API key."],
  ["claimJob", { token: null }, "Enter a worker token."],
  ["getGeneration", {}, "Enter a value for id."],
  ["createGeneration", { text: "{" }, /^The body is not valid JSON: /],
  ["uploadFile", { token: null }, "Choose a file."],
] as const)("%s lacks something that is named", (operationId, more, sentence) => {
  expect(buildRequest(triable(operationId), entered(more))).toMatch(sentence);
});
