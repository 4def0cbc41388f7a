import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { type Parameter, parametersOf, type Schema } from "../../parameters/parameter";
import type { Root } from "@/server/trpc/root";

export type Fields = Required<inferRouterInputs<Root>["characters"]["create"]>;
export type BaseModel = inferRouterOutputs<Root>["characters"]["baseModels"][number];

export const emptyFields = (model = ""): Fields => ({
  name: "",
  base_model: model,
  trigger_word: null,
  images: [],
  parameters: {},
});

const OWN = ["images", "trigger_word"];

/** What a base model takes beside the pictures and the trigger word. */
export const otherParametersOf = (schema: Schema): Parameter[] =>
  parametersOf(schema).filter(({ name }) => !OWN.includes(name));

/** What the model that was chosen says of its parameters; nothing when it is no longer on offer. */
export const schemaOf = (models: BaseModel[], { base_model }: Fields): Schema =>
  models.find(({ id }) => id === base_model)?.parameters_schema ?? {};

/** Where a fault can be shown beside what it is about. */
export const placesOf = (schema: Schema): string[] => [
  ...["name", "images", "images.0", "trigger_word", "base_model"],
  ...otherParametersOf(schema).map(({ name }) => `parameters.${name}`),
];
