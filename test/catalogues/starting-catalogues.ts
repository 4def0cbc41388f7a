import { readdirSync, readFileSync } from "node:fs";
import type { Model } from "../../server/catalogue/model";
import { type ParsedCatalogue, parseCatalogue } from "../../server/catalogue/parse";
import type { Schema } from "../../server/catalogue/subschemas";
import { createWorkflowReader } from "../../server/catalogue/workflow-reader";

const folder = "catalogues";
/** The day on which the catalogues were written. */
const WRITTEN_AT = new Date("2026-11-22");
const variables = {
  REPLICATE_API_TOKEN: "k",
  FAL_KEY: "k",
  OPENAI_API_KEY: "k",
  ANTHROPIC_API_KEY: "k",
  BFL_API_KEY: "k",
  GEMINI_API_KEY: "k",
  DEEPSEEK_API_KEY: "k",
  MISTRAL_API_KEY: "k",
  XAI_API_KEY: "k",
  COG_URL: "http://127.0.0.1:5000",
  COMFYUI_URL: "http://127.0.0.1:8188",
};

/** The names of the catalogues that ship with the hub. */
export const catalogueFiles = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

export const readStartingCatalogue = (name: string): string => readFileSync(`${folder}/${name}`, "utf8");

/** Parses a catalogue that ships with the hub, with all of its variables set. */
export const parseStartingCatalogue = (name: string): ParsedCatalogue =>
  parseCatalogue(readStartingCatalogue(name), {
    file: name,
    variables,
    now: WRITTEN_AT,
    readWorkflow: createWorkflowReader(folder),
  });

const FILE = "https://example.com/input.png";

/** Returns inputs of a model in which every parameter has each of its enum's values and bounds once. */
export function listInputs({ parametersSchema: { properties, required = [] } }: Model): Record<string, unknown>[] {
  const base = Object.fromEntries(required.map((name) => [name, listValues(properties[name]!)[0]]));
  const variants = Object.entries(properties).flatMap(([name, property]) =>
    listValues(property).map((value) => ({ ...base, [name]: value })),
  );
  return [base, ...variants];
}

function listValues({ enum: values, type, minimum, maximum, format, items }: Schema): unknown[] {
  if (Array.isArray(values)) return values as unknown[];
  if (type === "array") return [[listValues(items as Schema)[0]]];
  if (type === "boolean") return [true, false];
  if (type === "integer" || type === "number") return [minimum, maximum];
  return [format === "uri" ? FILE : "en"];
}
