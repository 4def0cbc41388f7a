import type { HubParts } from "../../context";
import { OTHER } from "../../lib/metrics/registry";

type Offer = Pick<HubParts, "catalogue">;

/** Returns the label of a model: its id while it is on offer, so that nobody can create series. */
export const modelLabel = ({ catalogue }: Offer, id: string): string => (catalogue.has(id) ? id : OTHER);

/** Returns the label of the provider that a route of a model belongs to: the provider's id in the catalogue. */
export function providerLabel({ catalogue }: Offer, model: string, route: string): string {
  if (route === "worker") return "worker";
  return catalogue.get(model)?.routes.find(({ id }) => id === route)?.provider.id ?? OTHER;
}
