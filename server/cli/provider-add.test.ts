import { expect, test } from "vitest";
import { readCatalogueFile } from "../catalogue/read-catalogue-file";
import { chooseSource } from "./provider-add";

const starter = await readCatalogueFile("catalogues/replicate.yaml");
const variables = { REPLICATE_API_TOKEN: "usual", MY_TOKEN: "mine" };

/** Returns a person who gives these answers, and the questions that were asked. */
function person(...answers: string[]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answers.shift()!;
  };
  return { ask, questions };
}
const ids = ({ models }: { models: { id: string }[] }) => models.map(({ id }) => id);

test("takes the usual variable and all models if nobody is there to answer", async () => {
  const { source, models } = await chooseSource(starter, {}, null, variables);
  expect(source).toEqual({ file: starter.file, text: starter.text });
  expect(ids({ models })).toContain("flux-schnell");
  expect(models.length).toBeGreaterThan(3);
  expect(models[0]!.routes[0]!.provider).toMatchObject({ apiKey: "usual", missing: [] });
});

test("asks for the variable and the models", async () => {
  const { ask, questions } = person("MY_TOKEN", "flux-schnell, flux-2-pro");
  const { source, models } = await chooseSource(starter, {}, ask, variables);
  expect(questions[0]).toBe("Environment variable of the provider [REPLICATE_API_TOKEN]: ");
  expect(questions[1]).toMatch(
    /^ {2}flux-schnell {2}FLUX\.1 schnell\n[^]*Models to add, separated by commas \[all\]: $/,
  );
  expect(ids({ models })).toEqual(["flux-schnell", "flux-2-pro"]);
  expect(source.text).toContain('api_key: "${MY_TOKEN}"');
  expect(source.text).not.toContain("${REPLICATE_API_TOKEN}");
});

test("empty answers stand for the usual variable and all models, and options are not asked for", async () => {
  const empty = person("", "");
  const all = await chooseSource(starter, {}, empty.ask, variables);
  expect(ids(all)).toEqual(ids(await chooseSource(starter, {}, null, variables)));
  const silent = person();
  const options = { keyVariable: "MY_TOKEN", models: ["flux-schnell"] };
  expect(ids(await chooseSource(starter, options, silent.ask, variables))).toEqual(["flux-schnell"]);
  expect(silent.questions).toEqual([]);
});

test.each([
  [{ keyVariable: "HUB_SECRET" }, "names HUB_SECRET, a setting of the hub, which a catalogue may not read"],
  [{ keyVariable: "OTHER_TOKEN" }, "list it in CATALOGUE_VARIABLES in the hub's environment"],
  [{ keyVariable: "REPLICATE_OTHER_TOKEN" }, /^REPLICATE_OTHER_TOKEN is not set: set it in the environment of the hub/],
  [{ models: ["flux-schnell", "flux-9"] }, /has no model flux-9: it has flux-schnell, /],
])("rejects %j in one sentence", async (options, sentence) => {
  await expect(chooseSource(starter, options, null, variables)).rejects.toThrow(sentence);
});
