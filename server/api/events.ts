import { listEvents } from "../domain/envelopes";
import { defineOperation } from "./operation";
import { Feed, FeedQuery } from "./schemas/webhook";

export const listEventsOperation = defineOperation({
  name: "listEvents",
  method: "get",
  path: "/api/v1/hub/events",
  tag: "Webhooks",
  summary: "List events",
  description:
    "Returns the envelopes that webhooks receive, oldest first, for programs without a public address. Events are kept " +
    "for 30 days, starting with your first webhook or first call of this operation.",
  auth: "key",
  cost: "read",
  query: FeedQuery,
  responses: { 200: { description: "The events after the given position", schema: Feed } },
  problems: [],
  async handler({ ctx, query }) {
    const { envelopes, ...position } = await listEvents(ctx, query);
    return { json: { data: envelopes.map((text) => JSON.parse(text) as unknown), ...position } };
  },
});
