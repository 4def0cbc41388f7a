import Replicate, { validateWebhook, type ApiError, type FileOutput, type Prediction } from "replicate";
import { beforeEach, describe, expect, test } from "vitest";
import { openReceiver } from "../../webhooks/receiver";
import { openReplicateDouble, type ReplicateDouble } from "./double";
import { COMMUNITY_MODEL, OFFICIAL_MODEL, VERSION } from "./models";
import { PICTURE } from "./outcomes";

const KEY = "test-key-0123456789";
const input = { prompt: "a cat" };

/** The official client is the judge of the double. */
let double: ReplicateDouble;
let client: Replicate;
beforeEach(async () => {
  double = await openReplicateDouble();
  client = new Replicate({ auth: KEY, baseUrl: double.base });
  return double.close;
});

const rejectionOf = async (promise: Promise<unknown>) => {
  const { response } = await promise.then(
    () => expect.unreachable("the client accepted the response"),
    (error: ApiError) => error,
  );
  return response.status;
};

describe("run", () => {
  test("waits in the request, and returns the URL of a file that anybody may download", async () => {
    const url = ((await client.run(OFFICIAL_MODEL, { input })) as unknown as URL).toString();
    expect(double.requests.map(({ method, headers }) => [method, headers.prefer])).toEqual([["POST", "wait"]]);
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("image/png");
    const withKey = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
    expect(withKey.status).toBe(400);
  });

  test("polls, and sees every status", async () => {
    const statuses: string[] = [];
    const options = { input, wait: { mode: "poll", interval: 1 } } as const;
    await client.run(`${COMMUNITY_MODEL}:${VERSION}`, options, ({ status }) => void statuses.push(status));
    expect(statuses).toEqual(["starting", "processing", "succeeded"]);
  });

  test("returns files that are in the response", async () => {
    double.setOutcomes("inline picture");
    const [file] = (await client.run(OFFICIAL_MODEL, { input })) as FileOutput[];
    expect(Buffer.from(await (await file!.blob()).arrayBuffer())).toEqual(PICTURE);
  });

  test("throws the error of a prediction", async () => {
    double.setOutcomes("sensitive error");
    await expect(client.run(OFFICIAL_MODEL, { input })).rejects.toThrow("Prediction failed: ModelError: The input");
  });
});

describe("predictions", () => {
  test("are created by version, by official model and by deployment", async () => {
    const predictions = [
      await client.predictions.create({ version: VERSION, input }),
      await client.predictions.create({ version: OFFICIAL_MODEL, input }),
      await client.predictions.create({ model: OFFICIAL_MODEL, input }),
      await client.deployments.predictions.create("acme", "pictures", { input }),
    ];
    expect(predictions.map(({ model, version, deployment }) => [model, version, deployment])).toEqual([
      [COMMUNITY_MODEL, VERSION, undefined],
      [OFFICIAL_MODEL, "hidden", undefined],
      [OFFICIAL_MODEL, "hidden", undefined],
      [OFFICIAL_MODEL, "hidden", "acme/pictures"],
    ]);
    expect(predictions).toEqual(Array(4).fill(expect.objectContaining({ status: "starting", input, output: null })));
    expect(double.accepted).toHaveLength(4);
  });

  test("are read, canceled, and listed in pages with the newest first", async () => {
    double.settings.pageSize = 2;
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.push((await client.predictions.create({ model: OFFICIAL_MODEL, input })).id);
    expect(await client.predictions.get(ids[0]!)).toMatchObject({ status: "processing" });
    expect(await client.predictions.cancel(ids[0]!)).toMatchObject({ status: "canceled" });
    const listed: Prediction[][] = [];
    for await (const page of client.paginate(() => client.predictions.list())) listed.push(page);
    expect(listed.map((page) => page.map(({ id }) => id))).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
  });

  test("lose their data after an hour", async () => {
    const { id } = await client.predictions.create({ model: OFFICIAL_MODEL, input, wait: true });
    expect(await client.predictions.get(id)).toMatchObject({ data_removed: false });
    double.advance(3_601);
    expect(await client.predictions.get(id)).toMatchObject({ output: null, input: {}, data_removed: true });
  });

  test.each([
    ["before they start", false, "aborted"],
    ["while they run", true, "canceled"],
  ])("end at their deadline, %s", async (_, isRunning, status) => {
    const response = await client.request("/predictions", {
      method: "POST",
      headers: { "Cancel-After": "1m30s" },
      data: { version: OFFICIAL_MODEL, input },
    });
    const { id } = (await response.json()) as Prediction;
    if (isRunning) await client.predictions.get(id);
    double.advance(91);
    expect(await client.predictions.get(id)).toMatchObject({ status });
  });
});

describe("rejects", () => {
  const create = (data: object, headers: Record<string, string> = {}) =>
    rejectionOf(client.request("/predictions", { method: "POST", data, headers }));

  test.each([
    ["a body without a version", { input }, 422],
    ["a version that does not exist", { version: COMMUNITY_MODEL, input }, 422],
    ["an unknown member", { version: VERSION, input, priority: 1 }, 422],
    ["an input that does not match the model", { version: VERSION, input: { num_outputs: 5 } }, 422],
    ["a webhook that is not https", { version: VERSION, input, webhook: "http://example.com/" }, 422],
    ["an unknown event", { version: VERSION, input, webhook_events_filter: ["ended"] }, 422],
  ])("%s", async (_, data, status) => {
    expect(await create(data)).toBe(status);
    expect(double.accepted).toEqual([]);
  });

  test.each(["4s", "25h", "30", "soon"])("a Cancel-After of %s", async (value) => {
    expect(await create({ version: VERSION, input }, { "Cancel-After": value })).toBe(400);
  });

  test("a wrong key, and what does not exist", async () => {
    const stranger = new Replicate({ auth: "r8_wrong", baseUrl: double.base });
    expect(await rejectionOf(stranger.predictions.create({ version: VERSION, input }))).toBe(401);
    expect(await rejectionOf(client.predictions.get("doesnotexist"))).toBe(404);
    expect(await rejectionOf(client.models.get("acme", "nothing"))).toBe(404);
    expect(await rejectionOf(client.predictions.create({ model: "acme/nothing", input }))).toBe(404);
    expect(double.accepted).toEqual([]);
  });
});

test("files are uploaded, listed, used in inputs and deleted", async () => {
  const file = await client.files.create(new File(["content"], "cat.png", { type: "image/png" }), { of: "a cat" });
  expect(file).toMatchObject({ content_type: "image/png", size: 7, metadata: { of: "a cat" } });
  await client.predictions.create({ version: VERSION, input: { ...input, image: file.urls.get } });
  expect(await client.files.get(file.id)).toEqual(file);
  expect((await client.files.list()).results).toEqual([file]);
  expect(await client.files.delete(file.id)).toBe(true);
  expect(await rejectionOf(client.files.get(file.id))).toBe(404);
});

test("the account, models, versions and deployments can be looked up", async () => {
  expect(await client.accounts.current()).toMatchObject({ username: "acme" });
  expect(await client.models.get("black-forest-labs", "flux-schnell")).toMatchObject({ is_official: true });
  expect(await client.models.versions.get("acme", "upscaler", VERSION)).toMatchObject({ id: VERSION });
  expect(await client.deployments.get("acme", "pictures")).toMatchObject({ name: "pictures" });
});

describe("webhooks", () => {
  const complete = async (mode: ReplicateDouble["settings"]["callbacks"]) => {
    const receiver = await openReceiver();
    double.settings.callbacks = mode;
    await client.predictions.create({ model: OFFICIAL_MODEL, input, webhook: receiver.url });
    await double.endAll();
    const { key: secret } = await client.webhooks.default.secret.get();
    return Promise.all(
      receiver.received.map(async ({ headers, body }) => ({
        id: headers["webhook-id"],
        status: (JSON.parse(body.toString()) as Prediction).status,
        isValid: await validateWebhook({
          id: String(headers["webhook-id"]),
          timestamp: String(headers["webhook-timestamp"]),
          signature: String(headers["webhook-signature"]),
          body: body.toString(),
          secret,
        }),
      })),
    );
  };

  test("are signed so that the official client accepts them", async () => {
    expect(await complete("sent")).toMatchObject([{ status: "succeeded", isValid: true }]);
  });
  test("may be doubled, with the same id", async () => {
    const [first, second] = await complete("doubled");
    expect(second).toEqual(first);
  });
  test("may be lost", async () => expect(await complete("lost")).toEqual([]));
  test("may be forged", async () => expect(await complete("forged")).toMatchObject([{ isValid: false }]));
  test("may come early, before the response to the submit", async () => {
    expect(await complete("early")).toMatchObject([{ isValid: true, status: "succeeded" }]);
  });
  test("are not sent for other events", async () => {
    const receiver = await openReceiver();
    const webhook = { webhook: receiver.url, webhook_events_filter: ["start" as const] };
    await client.predictions.create({ model: OFFICIAL_MODEL, input, ...webhook });
    await double.endAll();
    expect(double.callbacks).toEqual([]);
  });
});
