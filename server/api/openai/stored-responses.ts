import { z } from "@hono/zod-openapi";
import type { Hub } from "../../domain/hub";
import {
  deleteResponse,
  findResponse,
  hideItem,
  hideReasoning,
  listEvents,
  parseResponseId,
  ENCRYPTED_REASONING,
} from "../../domain/responses";
import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { defineOperation } from "../operation";
import { DeletedResponse, OpenAiResponse, ResponseItems } from "../schemas/responses";
import { setGenerationId } from "./route";
import { generationHeaders } from "./shared";

const shared = { tag: "Responses", auth: "key", envelope: "responses", params: z.object({ id: z.string() }) } as const;
const headers = { "X-Generation-Id": generationHeaders["X-Generation-Id"] };

const notFound = (id: string) =>
  new AppError("resource_not_found", `Response with id '${id.slice(0, 100)}' not found.`);

/** Returns the stored response that a path names, and names its generation in the hub's response. */
async function findNamed(ctx: Ctx<Hub>, request: Request, { id }: Record<string, string>) {
  const generation = parseResponseId(id!);
  const stored = generation === null ? null : await findResponse(ctx, generation);
  if (generation === null || !stored) throw notFound(id!);
  setGenerationId(request, generation);
  return stored;
}

const Include = z.string().max(500);
const description = `\`${ENCRYPTED_REASONING}\` for reasoning that you send back`;
const Queried = z.object({
  include: Include.optional().openapi({ description }),
  "include[]": z.array(Include).optional().openapi({ description }),
});

const includesReasoning = ({ include = "", "include[]": list = [] }: z.output<typeof Queried>): boolean =>
  [include, ...list].some((names) => names.split(",").includes(ENCRYPTED_REASONING));

const Position = z.string().regex(/^\d{1,9}$/, "must be a number").optional(); // prettier-ignore

export const getResponse = defineOperation({
  ...shared,
  name: "getOpenAiResponse",
  method: "get",
  path: "/v1/responses/{id}",
  summary: "Retrieve a response",
  description: "Returns a stored response, or with `stream=true` its events.",
  cost: "read",
  query: Queried.extend({
    stream: z.enum(["true", "false"]).optional(),
    starting_after: Position.openapi({ description: "Number of the last event that you have" }),
  }),
  responses: { 200: { description: "The response", schema: OpenAiResponse, headers } },
  problems: ["resource_not_found"],
  async handler({ ctx, params, query, request }) {
    const { answer } = await findNamed(ctx, request, params);
    const json = includesReasoning(query) ? answer : hideReasoning(answer);
    if (query.stream !== "true") return { json };
    const after = query.starting_after === undefined ? -1 : Number(query.starting_after);
    const events = listEvents(json).filter((event) => Number(event.sequence_number) > after);
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    return {
      content: new TextEncoder().encode(text),
      headers: { "Content-Type": "text/event-stream; charset=utf-8" },
    };
  },
});

export const deleteResponseOperation = defineOperation({
  ...shared,
  name: "deleteOpenAiResponse",
  method: "delete",
  path: "/v1/responses/{id}",
  summary: "Delete a response",
  description: "Deletes a stored response. Later requests cannot refer to it.",
  cost: "write",
  responses: { 200: { description: "The response is deleted", schema: DeletedResponse, headers } },
  problems: ["resource_not_found"],
  async handler({ ctx, params, request }) {
    const id = params.id!;
    const generation = parseResponseId(id);
    if (generation === null || !(await deleteResponse(ctx, generation))) throw notFound(id);
    setGenerationId(request, generation);
    return { json: { id, object: "response", deleted: true } };
  },
});

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export const listResponseItems = defineOperation({
  ...shared,
  name: "listOpenAiResponseItems",
  method: "get",
  path: "/v1/responses/{id}/input_items",
  summary: "List input items",
  description: "Returns the items of a stored response's request, those that it refers to included.",
  cost: "read",
  query: Queried.extend({
    limit: z
      .string()
      .regex(/^(?:[1-9]\d?|100)$/, `must be a number from 1 to ${MAX_LIMIT}`)
      .optional(),
    order: z.enum(["asc", "desc"]).optional().openapi({ description: "By default `desc`, the newest first" }),
    after: z.string().max(200).optional().openapi({ description: "Id of the last item that you have" }),
  }),
  responses: { 200: { description: "The items", schema: ResponseItems, headers } },
  problems: ["resource_not_found"],
  async handler({ ctx, params, query, request }) {
    const { input } = await findNamed(ctx, request, params);
    const items = query.order === "asc" ? input : input.toReversed();
    const start = query.after === undefined ? 0 : items.findIndex(({ id }) => id === query.after) + 1;
    if (query.after !== undefined && start === 0) throw invalidInput("after", "names no item of this response");
    const end = start + Number(query.limit ?? DEFAULT_LIMIT);
    const page = items.slice(start, end);
    return {
      json: {
        object: "list",
        data: includesReasoning(query) ? page : page.map(hideItem),
        first_id: page[0]?.id ?? null,
        last_id: page.at(-1)?.id ?? null,
        has_more: end < items.length,
      },
    };
  },
});

export const cancelResponse = defineOperation({
  ...shared,
  name: "cancelOpenAiResponse",
  method: "post",
  path: "/v1/responses/{id}/cancel",
  summary: "Cancel a response",
  description: "Always an error: the hub has no responses in the background. Close the stream of a response to end it.",
  cost: "write",
  responses: {},
  problems: ["invalid_input", "resource_not_found"],
  async handler({ ctx, params, request }) {
    await findNamed(ctx, request, params);
    throw invalidInput("id", "names a response that does not run in the background: close its stream to end it");
  },
});
