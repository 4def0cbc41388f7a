import { writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { setHubRole } from "../../server/domain/people/hub-role";
import { listHomeSamples } from "../../server/domain/samples";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { openCommandLine } from "../command-line";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { testOperator } from "../operator";
import { ownerSession } from "../session";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const user = await newConsoleUser(hub);
const operator = await newConsoleUser(hub);
await setHubRole(hub, testOperator, operator.email, "operator");
const { account, actor } = await ownerSession(hub, operator.account);
const { admin } = createCallerFactory(root)({ hub, session: contextOf(hub, account, actor, "test"), address: null });
const MODEL = "sandbox-image";
const picture = await sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: "#c60" } })
  .png()
  .toBuffer();
const newFile = () => insertFile(hub, operator.account, picture);
const samplesOf = async (model: string) => (await user.console.models.get({ id: model })).samples;

test("a sample is a reduced copy that outlives its file, and every change is in the audit log", async () => {
  const file = await newFile();
  const { id } = await admin.samples.add({ model: MODEL, file });
  expect(await samplesOf(MODEL)).toEqual([id]);
  const [stored] = await hub.db.query<{ picture: Buffer }>("SELECT picture FROM model_sample WHERE id = $1", [id]);
  const { width, format } = await sharp(stored!.picture).metadata();
  expect({ width, format }).toEqual({ width: 640, format: "webp" });

  await hub.db.query("DELETE FROM file WHERE id = $1", [file]);
  await admin.samples.chooseForHome({ id, isOnHome: true });
  expect(await listHomeSamples(hub)).toEqual([{ id, modelName: "Sandbox image" }]);
  await admin.samples.chooseForHome({ id, isOnHome: false });
  expect(await listHomeSamples(hub)).toEqual([]);
  await admin.samples.remove({ id });
  expect(await samplesOf(MODEL)).toEqual([]);
  const actions = await hub.db.query<{ action: string }>(
    "SELECT action FROM operator_action WHERE target_kind = 'model' ORDER BY id",
  );
  expect(actions.map(({ action }) => action)).toEqual([
    "sample.add",
    "sample.publish",
    "sample.unpublish",
    "sample.remove",
  ]);
});

test("rejects files of others, what is no picture, unknown models and samples, and a ninth sample", async () => {
  const file = await newFile();
  const foreign = await insertFile(hub, user.account, picture);
  await expect(admin.samples.add({ model: MODEL, file: foreign })).rejects.toThrow("Resource not found");
  const broken = await insertFile(hub, operator.account, "no picture");
  await expect(admin.samples.add({ model: MODEL, file: broken })).rejects.toThrow(/can be decoded/);
  await expect(admin.samples.add({ model: "no-model", file })).rejects.toThrow();
  await expect(admin.samples.remove({ id: file })).rejects.toThrow("no such sample");
  await expect(admin.samples.chooseForHome({ id: file, isOnHome: true })).rejects.toThrow("no such sample");
  for (let count = 0; count < 8; count += 1) await admin.samples.add({ model: MODEL, file });
  await expect(admin.samples.add({ model: MODEL, file })).rejects.toThrow("has 8 samples");
  await hub.db.query("DELETE FROM model_sample");
});

test("tells an operator what a sample costs before it is made", async () => {
  const models = await admin.samples.list();
  const image = models.find(({ id }) => id === MODEL)!;
  const { estimated_cost } = await operator.console.models.price({ id: MODEL, input: image.example });
  expect(image.price).toBe(estimated_cost);
  expect(models.find(({ id }) => id === "sandbox-text")?.price).toBeNull();
});

test("the command line adds, lists and removes samples", async () => {
  const { dataDir, run } = await openCommandLine();
  const [catalogue, file] = [path.join(dataDir, "models.yaml"), path.join(dataDir, "sample.png")];
  await writeFile(
    catalogue,
    "models: [{ id: pic, name: Pic, output_modalities: [image], parameters_schema: { type: object }, pricing_tiers: [{ match: {}, price_usd: 0.01 }], routes: [{ provider: sandbox }] }]\n",
  );
  await writeFile(file, picture);
  await run("catalogue", "apply", catalogue);
  const { ids } = JSON.parse(await run("sample", "add", "pic", file, "--json")) as { ids: string[] };
  expect(await run("sample", "list")).toContain(ids[0]);
  await expect(run("sample", "remove", "--id", "first")).rejects.toThrow("no such sample");
  await run("sample", "remove", "--id", ids[0]!);
  expect(await run("sample", "list")).toContain("No samples.");
  await expect(run("sample", "add", "pic", catalogue)).rejects.toThrow(/can be decoded/);
});
