import { beforeEach, expect, test } from "vitest";
import { catalogueOf } from "../catalogue";
import { createTestTrainer } from "../characters/test-trainer";
import { recordStatements } from "../record-statements";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { explainPlan } from "../explain-plan";
import { makePng } from "../media/png";
import { newConsoleUser } from "./console-user";

const hub = await testHub({ BASE_URL: "https://hub.test" });
const gpuModel = (id: string, parameters: string) => `
  - id: ${id}
    gpu: { price_per_second: 0.0001, max_seconds: 60 }
    parameters_schema: { type: object, properties: { ${parameters} } }
    routes: [{ provider: worker }]`;
hub.catalogue = new Map([
  ...hub.catalogue,
  ...catalogueOf(
    gpuModel("my-trainer", "images: { type: array, items: { type: string, format: uri } }") +
      gpuModel("my-painter", "character: { type: integer }") +
      gpuModel("my-writer", "character: { type: string }"),
  ),
]);
const trainer = createTestTrainer(hub, ["sandbox-trainer", "my-trainer"]);

let user: Awaited<ReturnType<typeof newConsoleUser>>;
beforeEach(async () => {
  user = await newConsoleUser(hub);
});

async function draft(name: string, base_model = "sandbox-trainer") {
  const image = await insertFile(hub, user.account, await makePng("#c02020"));
  const trigger_word = base_model === "sandbox-trainer" ? name.toLowerCase() : null;
  const images = [`https://hub.test/api/v1/hub/files/${image}`];
  return user.console.characters.create({ name, base_model, trigger_word, parameters: {}, images });
}
async function ready(name: string, base_model?: string) {
  const { id } = await draft(name, base_model);
  await user.console.characters.start({ id: String(id) });
  await trainer.complete(await trainer.leaseJob(), 0);
  return id;
}
const usable = (model: string) => user.console.characters.usable({ model });

test("lists the account's compatible, ready characters by name", async () => {
  const [mine, cleo, ada] = [await ready("Mine", "my-trainer"), await ready("Cleo"), await ready("Ada")];
  const gone = await ready("Gone");
  await user.console.characters.delete({ id: String(gone) });
  await draft("Only a draft");
  expect(await usable("sandbox-image")).toEqual([
    { id: ada, name: "Ada", trigger_word: "ada" },
    { id: cleo, name: "Cleo", trigger_word: "cleo" },
  ]);
  expect(await usable("my-painter")).toEqual([{ id: mine, name: "Mine", trigger_word: null }]);
  // These models accept no character.
  expect(await usable("my-writer")).toEqual([]);
  expect(await usable("sandbox-text")).toEqual([]);
  await expect(usable("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  user = await newConsoleUser(hub);
  expect(await usable("sandbox-image")).toEqual([]);
});

test("lists exactly the characters that the hub accepts", async () => {
  await ready("Mine", "my-trainer");
  const id = await ready("Ada");
  const price = (character: number) =>
    user.console.playground.run({
      idempotencyKey: `${character} of this test`.padEnd(16, "."),
      model: "sandbox-image",
      input: { prompt: "p", character },
    });
  for (const one of await usable("sandbox-image")) expect(await price(one.id)).toMatchObject({ status: "queued" });
  await expect(price(id - 1)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("runs one statement that uses the account's own index", async () => {
  const take = recordStatements(hub);
  await ready("Ada");
  await ready("Cleo");
  take();
  expect(await usable("sandbox-image")).toHaveLength(2);
  expect(take()).toHaveLength(1);
  const plan = await explainPlan(hub, (h) => user.consoleOn(h).characters.usable({ model: "sandbox-image" }));
  expect(plan).toContain("Index Scan using character_newest");
  expect(plan).not.toContain("Seq Scan");
});
