import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embedWorkflows } from "./embed-workflows";
import { parseCatalogue } from "./parse";
import { readCatalogueFile } from "./read-catalogue-file";

const workflow = { 6: { class_type: "CLIPTextEncode", inputs: { text: "", clip: ["4", 1] } } };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "hub-workflows-"));
  await mkdir(path.join(folder, "workflows"));
  await writeFile(path.join(folder, "workflows", "flux.json"), JSON.stringify(workflow));
  await writeFile(path.join(folder, "broken.json"), "{");
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (file: string, rename = "{}") => {
  const name = path.join(folder, "models.yaml");
  await writeFile(
    name,
    `# Ours.
providers: [{ id: studio, kind: comfyui, base_url: "http://10.0.0.5:8188" }]
models:
  - id: m
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    parameters_schema: { type: object, properties: { prompt: { type: string } } }
    routes:
      - provider: studio
        workflow: ${file} # our own
        rename: ${rename}
        bind: { prompt: 6.text }
`,
  );
  return readCatalogueFile(name);
};

test("reads a workflow from a file beside the catalogue, and embeds it for the database", async () => {
  const { text, readWorkflow } = await write("workflows/flux.json");
  const { models } = parseCatalogue(text, { file: "F", variables: {}, readWorkflow });
  expect(models[0]!.routes[0]!.workflow!.nodes).toEqual(workflow);

  const whole = embedWorkflows(text, readWorkflow);
  await rm(path.join(folder, "workflows"), { recursive: true });
  expect(parseCatalogue(whole, { file: "F", variables: {} }).models).toEqual(models);
  expect(whole).toContain("# Ours.");
  expect(whole.replace(/ {8}workflow:[^]*?(?= {8}rename)/, "")).toBe(text.replace(/ {8}workflow:.*\n/, ""));
});

test.each([
  ["absent.json", "cannot be read (ENOENT)"],
  ["broken.json", "is not a file in JSON"],
])("reports a workflow in %s with its line", async (file, message) => {
  const { text, readWorkflow } = await write(file);
  expect(() => parseCatalogue(text, { file: "F", variables: {}, readWorkflow })).toThrow(
    `F:9: models[0].routes[0].workflow: ${message}`,
  );
});

test("leaves a catalogue without files as it is, and other settings named like one", async () => {
  const { text, readWorkflow } = await write("{ 6: { class_type: A, inputs: { text: a } } }", "{ prompt: workflow }");
  expect(embedWorkflows(text, readWorkflow)).toBe(text);
});
