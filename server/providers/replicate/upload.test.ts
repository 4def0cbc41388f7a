import { beforeEach, expect, test } from "vitest";
import { buildIo, buildProvider } from "../../../test/providers/job";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import { PICTURE } from "../../../test/providers/replicate/outcomes";
import { uploadFile } from "./upload";
import { submitPrediction } from "./submit";

let double: ReplicateDouble;
beforeEach(async () => {
  double = await openReplicateDouble();
  return double.close;
});
const file = { content: PICTURE, mediaType: "image/png", name: "input.png" };

test("a file is stored with its name and media type, and its URL can be an input", async () => {
  const { route } = buildReplicateJob(double);
  const image = await uploadFile(file, route, buildIo());
  const [stored] = [...double.files.values()];
  expect(stored).toMatchObject({ name: "input.png", shown: { content_type: "image/png", urls: { get: image } } });
  expect(stored!.content).toEqual(PICTURE);
  const job = buildReplicateJob(double, { input: { prompt: "a cat", image } });
  expect(await submitPrediction(job, buildIo())).toMatchObject({ state: "pending" });
});

test("a file that is too large for Replicate is the customer's error", async () => {
  const { route } = buildReplicateJob(double);
  const rejected = uploadFile({ ...file, content: Buffer.alloc(0), name: "x".repeat(300) }, route, buildIo());
  await expect(rejected).rejects.toMatchObject({ name: "InputUnavailable", retryable: false });
});

test("a wrong key or an outage is not the customer's error, so that another route may be tried", async () => {
  const { route } = buildReplicateJob(double);
  const stranger = { ...route, provider: { ...buildProvider("replicate", double.base), apiKey: "r8_wrong" } };
  await expect(uploadFile(file, stranger, buildIo())).rejects.toMatchObject({ retryable: true });
  await double.close();
  await expect(uploadFile(file, route, buildIo())).rejects.toMatchObject({ name: "InputUnavailable", retryable: true });
});
