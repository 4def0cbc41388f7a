import { ApiError, createFalClient, ValidationError } from "@fal-ai/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FalDouble, openFalDouble } from "./double";
import { describeInvalid, describeOutage, FAL_KEY, PICTURE } from "./samples";

const ENDPOINT = "fal-ai/flux/schnell";
let double: FalDouble;
beforeAll(async () => {
  double = await openFalDouble();
});
afterAll(() => double.close());

/** Returns fal's own client, whose requests to fal's hosts go to the double. */
const createClient = (credentials = FAL_KEY) =>
  createFalClient({
    credentials,
    fetch: (target, init) => {
      const url = new URL(target instanceof Request ? target.url : target);
      return fetch(/\.fal\.(run|ai)$/.test(url.hostname) ? `${double.url}${url.pathname}${url.search}` : url, init);
    },
  });

test.each([ENDPOINT, "workflows/me/flow/variant"])("runs a job of %s to its result", async (endpoint) => {
  const { queue } = createClient();
  const webhookUrl = "https://hub.example/callback?token=a%2Fb";
  const input = { prompt: "a tree" };
  const submitted = await queue.submit(endpoint, { input, webhookUrl, startTimeout: 60 });
  const requestId = submitted.request_id;
  expect(submitted).toMatchObject({ status: "IN_QUEUE", queue_position: 3 });
  expect(double.jobs.get(requestId)).toMatchObject({ endpoint, input, webhookUrl });

  expect(await queue.status(endpoint, { requestId, logs: true })).toMatchObject({ status: "IN_QUEUE" });
  expect(await queue.status(endpoint, { requestId })).toMatchObject({ status: "IN_PROGRESS" });
  expect(await queue.status(endpoint, { requestId })).toMatchObject({ status: "COMPLETED" });
  expect(await queue.result(endpoint, { requestId })).toMatchObject({
    data: { images: [{ content_type: "image/png" }], has_nsfw_concepts: [false] },
  });
  await expect(queue.cancel(endpoint, { requestId })).rejects.toMatchObject({ status: 400 });
});

test("cancels a job", async () => {
  const { queue } = createClient();
  const { request_id: requestId } = await queue.submit(ENDPOINT, { input: { prompt: "a tree" } });
  await queue.cancel(ENDPOINT, { requestId });
  expect(await queue.status(ENDPOINT, { requestId })).toMatchObject({ status: "COMPLETED" });
  await expect(queue.result(ENDPOINT, { requestId })).rejects.toMatchObject({ status: 499 });
});

test("reads both forms of an error", async () => {
  const { queue } = createClient();
  double.endNextJobs(
    { result: { status: 422, body: describeInvalid("prompt", "content_policy_violation") } },
    { result: { status: 500, body: describeOutage(500, "runner_server_error") } },
  );
  const readError = async () => {
    const { request_id: requestId } = await queue.submit(ENDPOINT, { input: { prompt: "a tree" } });
    for (let polls = 0; polls < 3; polls += 1) await queue.status(ENDPOINT, { requestId });
    return queue.result(ENDPOINT, { requestId }).catch((error: unknown) => error);
  };
  const invalid = await readError();
  expect(invalid).toBeInstanceOf(ValidationError);
  expect((invalid as ValidationError).getFieldErrors("prompt")).toMatchObject([{ type: "content_policy_violation" }]);
  const outage = await readError();
  expect(outage).toBeInstanceOf(ApiError);
  expect(outage).toMatchObject({ status: 500, body: { error_type: "runner_server_error" } });
});

test("is rejected without the key", async () => {
  const before = double.accepted.length;
  const { queue } = createClient("wrong");
  await expect(queue.submit(ENDPOINT, { input: { prompt: "a tree" } })).rejects.toMatchObject({ status: 401 });
  expect(double.accepted).toHaveLength(before);
});

test("stores a file", async () => {
  const url = await createClient().storage.upload(new Blob([PICTURE], { type: "image/png" }));
  const response = await fetch(url);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
});
