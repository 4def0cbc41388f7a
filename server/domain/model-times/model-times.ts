import type { HubParts } from "../../context";
import { array, float8, int8Number, notNull, text } from "../../db/column-types";
import { statement } from "../../db/statement";

/** How many of a model's newest successes count. */
const SAMPLE = 50;
const MAX_AGE_MS = 300_000;

/** The services for the times of models that the requests of one process share. */
export interface ModelTimeServices {
  readTypicalSeconds: () => Promise<ReadonlyMap<string, number>>;
}

/** Returns the median seconds of each model's newest successes. Chats and models without successes are left out. */
export const readTypicalSeconds = ({
  services,
}: {
  services: ModelTimeServices;
}): Promise<ReadonlyMap<string, number>> => services.readTypicalSeconds();

type TimesHub = Pick<HubParts, "catalogue" | "db" | "log" | "now">;

/**
 * Returns the services of the times of models, which are read again when they are five minutes old. Only calls before the
 * first successful read wait for it; the others get the last times. A read that fails is repeated by the next call.
 */
export function createModelTimeServices(hub: TimesHub): ModelTimeServices {
  let times: ReadonlyMap<string, number> = new Map();
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;

  const refresh = async () => {
    try {
      times = await readTimes(hub);
      readAt = hub.now().getTime();
    } catch (error) {
      hub.log.warn({ err: error as Error }, "usual times of models not read");
    } finally {
      reading = undefined;
    }
  };
  return {
    async readTypicalSeconds() {
      const isStale = readAt === undefined || Math.abs(hub.now().getTime() - readAt) > MAX_AGE_MS;
      if (isStale) reading ??= refresh();
      if (readAt === undefined) await reading;
      return times;
    },
  };
}

async function readTimes(hub: TimesHub): Promise<ReadonlyMap<string, number>> {
  const models = [...hub.catalogue.values()].filter(({ isLlm }) => !isLlm).map(({ id }) => id);
  const rows = await selectMedians(hub.db, models, SAMPLE);
  return new Map(rows.map(({ model, seconds }) => [model, Math.round(seconds * 10) / 10]));
}

// LATERAL with LIMIT reads the newest entries of the index for each model, however many there are (decision 8).
const selectMedians = statement({
  params: [array(text), int8Number],
  row: { model: notNull(text), seconds: notNull(float8) },
  text: `
    SELECT wanted.model, percentile_cont(0.5) WITHIN GROUP (ORDER BY recent.seconds) AS seconds
    FROM unnest($1::text[]) AS wanted (model)
    CROSS JOIN LATERAL (
      SELECT extract(epoch FROM completed_at - started_at)::float8 AS seconds FROM generation
      WHERE model = wanted.model AND status = 'succeeded' AND NOT is_llm
      ORDER BY completed_at DESC LIMIT $2
    ) recent
    GROUP BY wanted.model`,
});
