import { bool, bytea, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import type { SamplesHub } from "./hub";

/** A sample picture of a model. Its content never changes. */
interface Sample {
  id: string;
  /** Whether the home page shows it, also to visitors without a session. */
  on_home: boolean;
}

/** Returns the samples of each model that has some, the oldest first. */
export async function listSamples(hub: SamplesHub): Promise<ReadonlyMap<string, Sample[]>> {
  const samples = new Map<string, Sample[]>();
  for (const { model, ...sample } of await selectSamples(hub.db)) {
    samples.set(model, [...(samples.get(model) ?? []), sample]);
  }
  return samples;
}

const selectSamples = statement({
  params: [],
  row: { id: uuid, model: text, on_home: bool },
  text: "SELECT id, model, on_home FROM model_sample ORDER BY model, id",
});

const MAX_ON_HOME = 12;

/** Returns the samples of the home page with the names of their models, at most twelve. Models for members are not among them. */
export async function listHomeSamples(hub: SamplesHub): Promise<{ id: string; modelName: string }[]> {
  const rows = await selectHomeSamples(hub.db);
  return rows
    .flatMap(({ id, model }) => {
      const offered = hub.catalogue.get(model);
      return offered && !offered.membersOnly ? [{ id, modelName: offered.name }] : [];
    })
    .slice(0, MAX_ON_HOME);
}

const selectHomeSamples = statement({
  params: [],
  row: { id: uuid, model: text },
  text: "SELECT id, model FROM model_sample WHERE on_home ORDER BY id",
});

/** Returns a sample with its content, a WebP, and whether visitors may see it; null if there is none. */
export async function findSample(hub: SamplesHub, id: string) {
  const [sample] = isId(id) ? await selectSample(hub.db, id) : [];
  if (!sample) return null;
  const { model, picture, on_home } = sample;
  return { model, picture, isPublic: on_home && hub.catalogue.get(model)?.membersOnly === false };
}

const selectSample = statement({
  params: [uuid],
  row: { model: text, on_home: bool, picture: bytea },
  text: "SELECT model, on_home, picture FROM model_sample WHERE id = $1",
});
