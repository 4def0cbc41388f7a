import type { Root } from "@/server/trpc/root";
import type { inferRouterInputs } from "@trpc/server";
import { type Parameter, parametersOf, type Schema } from "../../parameters/parameter";
import type { Outputs } from "../../trpc/outputs";

export type Fields = Required<inferRouterInputs<Root>["characters"]["create"]>;
export type BaseModel = Outputs["characters"]["baseModels"][number];

export const emptyFields = (model = ""): Fields => ({
  name: "",
  base_model: model,
  trigger_word: null,
  images: [],
  parameters: {},
});

const OWN_FIELDS = ["images", "trigger_word"];

/** Returns the parameters of a base model besides the pictures and the trigger word. */
export const otherParametersOf = (schema: Schema): Parameter[] =>
  parametersOf(schema).filter(({ name }) => !OWN_FIELDS.includes(name));

/** Returns the parameter schema of the chosen model; an empty one when it is no longer available. */
export const schemaOf = (models: BaseModel[], { base_model }: Fields): Schema =>
  models.find(({ id }) => id === base_model)?.parameters_schema ?? {};

/** Returns the paths whose errors the form shows inline. */
export const inlinePathsOf = (schema: Schema): string[] => [
  "name",
  "images",
  "images.0",
  "trigger_word",
  "base_model",
  ...otherParametersOf(schema).map(({ name }) => `parameters.${name}`),
];
