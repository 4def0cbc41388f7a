import { beforeEach, expect, test } from "vitest";
import { catalogueOf } from "../catalogue";
import { testTrainerOf } from "../characters/test-trainer";
import { picture } from "../characters/character-fixture";
import { countStatements } from "../count-statements";
import { testHub } from "../hub";
import { keepFile } from "../keep-file";
import { explainPlan } from "../explain-plan";
import { newPerson } from "./caller";

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
const apprentice = testTrainerOf(hub, ["sandbox-trainer", "my-trainer"]);

let person: Awaited<ReturnType<typeof newPerson>>;
beforeEach(async () => {
  person = await newPerson(hub);
});

async function draft(name: string, base_model = "sandbox-trainer") {
  const image = await keepFile(hub, person.account, await picture("#c02020"));
  const images = [`https://hub.test/api/v1/hub/files/${image}`];
  return person.console.characters.create({ name, base_model, trigger_word: null, parameters: {}, images });
}
async function ready(name: string, base_model?: string) {
  const { id } = await draft(name, base_model);
  await person.console.characters.start({ id: String(id) });
  await apprentice.complete(await apprentice.take(), 0);
  return id;
}
const usable = (model: string) => person.console.characters.usable({ model });

test("a model's form offers the account's ready characters that the model understands, by name", async () => {
  const [mine, cleo, ada] = [await ready("Mine", "my-trainer"), await ready("Cleo"), await ready("Ada")];
  const gone = await ready("Gone");
  await person.console.characters.delete({ id: String(gone) });
  await draft("Only a draft");
  expect(await usable("sandbox-image")).toEqual([
    { id: ada, name: "Ada" },
    { id: cleo, name: "Cleo" },
  ]);
  expect(await usable("my-painter")).toEqual([{ id: mine, name: "Mine" }]);
  // They take none.
  expect(await usable("my-writer")).toEqual([]);
  expect(await usable("sandbox-text")).toEqual([]);
  await expect(usable("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  person = await newPerson(hub);
  expect(await usable("sandbox-image")).toEqual([]);
});

test("what is offered is what the hub takes", async () => {
  await ready("Mine", "my-trainer");
  const id = await ready("Ada");
  const price = (character: number) =>
    person.console.playground.run({
      ...{ idempotencyKey: `${character} of this test`.padEnd(16, "."), model: "sandbox-image" },
      input: { prompt: "p", character },
    });
  for (const one of await usable("sandbox-image")) expect(await price(one.id)).toMatchObject({ status: "queued" });
  await expect(price(id - 1)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("they are one statement, which reads by the account's own index", async () => {
  const take = countStatements(hub);
  await ready("Ada");
  await ready("Cleo");
  take();
  expect(await usable("sandbox-image")).toHaveLength(2);
  expect(take()).toHaveLength(1);
  const plan = await explainPlan(hub, (h) => person.consoleOn(h).characters.usable({ model: "sandbox-image" }));
  expect(plan).toContain("Index Scan using character_newest");
  expect(plan).not.toContain("Seq Scan");
});
