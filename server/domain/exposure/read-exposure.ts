import type { HubParts } from "../../context";
import { textOf } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Env, Exposure } from "../../env";

/** Returns the setting, or without one the default: `full` if the hub had generations before the setting existed. */
export async function readExposure({ db }: Pick<HubParts, "db">, env: Pick<Env, "EXPOSE_ATTEMPTS">): Promise<Exposure> {
  if (env.EXPOSE_ATTEMPTS) return env.EXPOSE_ATTEMPTS;
  const [kept] = await selectDefault(db);
  return kept?.value ?? "times";
}

const selectDefault = statement({
  params: [],
  row: { value: textOf<Exposure>() },
  text: "SELECT value FROM hub_default WHERE name = 'EXPOSE_ATTEMPTS'",
});
