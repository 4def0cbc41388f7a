import { z } from "@hono/zod-openapi";
import { cancelCharacter } from "../domain/characters/cancel";
import { createCharacter } from "../domain/characters/create";
import { deleteCharacter } from "../domain/characters/delete";
import { getCharacter } from "../domain/characters/get";
import { CharacterChanges, CharacterInput, StartInput } from "../domain/characters/input";
import { listCharacters } from "../domain/characters/list";
import { serializeCharacter } from "../domain/characters/serialize-character";
import { resumeCharacter } from "../domain/characters/resume";
import { startCharacter } from "../domain/characters/start";
import { updateCharacter } from "../domain/characters/update";
import { serializeGeneration } from "../domain/generations/serialize-generation";
import { defineOperation } from "./operation";
import * as schemas from "./schemas/character";
import { Generation } from "./schemas/generation";

const PATH = "/api/v1/hub/characters";
const id = z.int().openapi({ format: "int32", description: "Id of a character", example: 7 });
const params = z.object({ id });
const shared = { tag: "Characters", auth: "key" } as const;
const links = {
  getCharacter: "/id",
  updateCharacter: "/id",
  startCharacter: "/id",
  resumeCharacter: "/id",
  cancelCharacter: "/id",
  deleteCharacter: "/id",
} as const;

export const listCharactersOperation = defineOperation({
  ...shared,
  name: "listCharacters",
  method: "get",
  path: PATH,
  summary: "Your characters, newest first",
  description: "Each with its state, which is that of its newest training.",
  cost: "read",
  query: schemas.CharacterQuery,
  responses: { 200: { description: "A page", schema: schemas.CharacterPage } },
  problems: [],
  async handler({ ctx, query }) {
    const { data, next_cursor } = await listCharacters(ctx, query);
    return { json: { data: data.map((character) => serializeCharacter(ctx, character)), next_cursor } };
  },
});

export const createCharacterOperation = defineOperation({
  ...shared,
  name: "createCharacter",
  method: "post",
  path: PATH,
  summary: "Make a character",
  description: "As a draft: nothing is trained and nothing is held before it is started.",
  cost: "write",
  body: CharacterInput,
  responses: {
    201: { description: "A draft", schema: schemas.Character, headers: { Location: "Where it is" }, links },
  },
  problems: ["model_not_found"],
  async handler({ ctx, body }) {
    const character = await createCharacter(ctx, body);
    const headers = { Location: `${PATH}/${character.id}` };
    return { status: 201, headers, json: serializeCharacter(ctx, character) };
  },
});

export const getCharacterOperation = defineOperation({
  ...shared,
  name: "getCharacter",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "One character",
  description: "Its fields, and the state, the cost and the progress of its training.",
  cost: "read",
  params,
  responses: { 200: { description: "The character", schema: schemas.Character } },
  problems: ["resource_not_found"],
  handler: async ({ ctx, params }) => ({ json: serializeCharacter(ctx, await getCharacter(ctx, params.id!)) }),
});

export const updateCharacterOperation = defineOperation({
  ...shared,
  name: "updateCharacter",
  method: "patch",
  path: `${PATH}/{id}`,
  summary: "Change a character",
  description:
    "Every field that is given is replaced as a whole; 409 `invalid_state` while a training is under way. What is " +
    "changed after a training counts for the next one, which then begins anew.",
  cost: "write",
  params,
  body: CharacterChanges,
  responses: { 200: { description: "The changed character", schema: schemas.Character } },
  problems: ["resource_not_found", "model_not_found", "invalid_state"],
  handler: async ({ ctx, params, body }) => ({
    json: serializeCharacter(ctx, await updateCharacter(ctx, params.id!, body)),
  }),
});

export const deleteCharacterOperation = defineOperation({
  ...shared,
  name: "deleteCharacter",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Delete a character",
  description:
    "What it has learned is from then on like other outputs, which expire. 409 `invalid_state` while a training is under way.",
  cost: "write",
  params,
  responses: { 204: { description: "Deleted" } },
  problems: ["resource_not_found", "invalid_state"],
  async handler({ ctx, params }) {
    await deleteCharacter(ctx, params.id!);
    return { status: 204, content: null };
  },
});

const trainingLinks = { getCharacter: "/id", cancelCharacter: "/id" } as const;
const training = [
  "resource_not_found",
  "model_not_found",
  "invalid_state",
  "insufficient_credits",
  "no_route_available",
] as const;

export const startCharacterOperation = defineOperation({
  ...shared,
  name: "startCharacter",
  method: "post",
  path: `${PATH}/{id}/start`,
  summary: "Train a draft",
  description:
    "Makes its training, a generation of the base model, and holds the estimate. Pictures that are named by a hash may " +
    "be uploaded later: it is `awaiting_supply` until then. 409 `invalid_state` for any other than a draft.",
  cost: "write",
  params,
  body: StartInput,
  responses: { 202: { description: "Accepted", schema: schemas.Character, links: trainingLinks } },
  problems: [...training],
  async handler({ ctx, params, body: { parameters, max_cost: maxCost } }) {
    const character = await startCharacter(ctx, params.id!, { parameters, maxCost });
    return { status: 202, json: serializeCharacter(ctx, character) };
  },
});

export const resumeCharacterOperation = defineOperation({
  ...shared,
  name: "resumeCharacter",
  method: "post",
  path: `${PATH}/{id}/resume`,
  summary: "Go on with a training",
  description:
    "One that failed or was canceled goes on from its last checkpoint, as a new generation that is priced on what is " +
    "left. One that is `awaiting_supply` is looked at again. Any other state is 409 `invalid_state`.",
  cost: "write",
  params,
  responses: { 202: { description: "Accepted", schema: schemas.Character, links: trainingLinks } },
  problems: ["invalid_input", ...training],
  handler: async ({ ctx, params }) => ({
    status: 202,
    json: serializeCharacter(ctx, await resumeCharacter(ctx, params.id!)),
  }),
});

export const cancelCharacterOperation = defineOperation({
  ...shared,
  name: "cancelCharacter",
  method: "post",
  path: `${PATH}/{id}/cancel`,
  summary: "Cancel a training",
  description:
    "Answers the canceled generation. GPU time that was used is billed, at most the estimate. One that is canceled " +
    "already is answered again; any other state is 409 `invalid_state`.",
  cost: "write",
  params,
  responses: { 200: { description: "The canceled generation", schema: Generation } },
  problems: ["resource_not_found", "invalid_state"],
  handler: async ({ ctx, params }) => ({ json: serializeGeneration(ctx.hub, await cancelCharacter(ctx, params.id!)) }),
});
