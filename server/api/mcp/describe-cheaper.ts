import type { findCheaperInputs } from "../../domain/models";

/** Returns the next step for an agent whose input costs too much. */
export function describeCheaper(cheaper: ReturnType<typeof findCheaperInputs>): string {
  const choices = cheaper.map(
    ({ parameter, value, estimated_cost }) => `${parameter} ${JSON.stringify(value)} (${estimated_cost} EUR)`,
  );
  const first = choices.length > 0 ? `Choose ${choices.join(" or ")}` : "Choose a cheaper input or model";
  return `${first}, wait for the reset of the spend limit if it has one, or ask the owner of the key for credit or a higher limit.`;
}
