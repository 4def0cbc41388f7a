import { listEvents } from "../domain/webhooks/list-events";
import { defineOperation } from "./operation";
import { Feed, FeedQuery } from "./schemas/webhook";

export const listEventsOperation = defineOperation({
  name: "listEvents",
  method: "get",
  path: "/api/v1/hub/events",
  tag: "Webhooks",
  summary: "Your events, to be fetched",
  description:
    "The same envelopes as webhooks send, oldest first, for who has no public address. Events are kept for 30 days, " +
    "from the first webhook or the first call of this on.",
  auth: "key",
  cost: "read",
  query: FeedQuery,
  responses: { 200: { description: "The events after a position", schema: Feed } },
  problems: [],
  async handler({ ctx, query }) {
    const { envelopes, ...position } = await listEvents(ctx, query);
    return { json: { data: envelopes.map((text) => JSON.parse(text) as unknown), ...position } };
  },
});
