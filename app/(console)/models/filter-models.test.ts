import { expect, test } from "vitest";
import { filterModels } from "./filter-models";

const model = (id: string, cost: number | null, seconds: number | null, makes = "image") => ({
  id,
  name: id.toUpperCase(),
  description: `makes an ${makes}`,
  output_modalities: [makes],
  typical_cost: cost,
  typical_seconds: seconds,
});
const models = [
  model("slow", 0.04, 30),
  model("fast", 0.09, 2),
  model("free", null, null),
  model("chat", 0.001, 5, "text"),
];

test.each([
  [{}, ["slow", "fast", "free", "chat"]],
  [{ words: "IMAGE f" }, ["fast", "free"]],
  [{ words: "image of" }, []],
  [{ makes: "text" }, ["chat"]],
  [{ maxCost: "0.04" }, ["slow", "chat"]],
  [{ maxCost: "not a number" }, []],
  [{ sort: "price" }, ["chat", "slow", "fast", "free"]],
  [{ sort: "speed" }, ["fast", "chat", "slow", "free"]],
  [{ sort: "constructor" }, ["slow", "fast", "free", "chat"]],
])("filters and sorts models by %o", (filters, ids) => {
  const all = { words: "", makes: "", maxCost: "", sort: "", ...filters };
  expect(filterModels(models, all).map(({ id }) => id)).toEqual(ids);
});
