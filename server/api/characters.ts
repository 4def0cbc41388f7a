import { z } from "@hono/zod-openapi";
import { characterActions } from "../actions/characters";
import { getCharacter, listCharacters, serializeCharacter } from "../domain/characters";
import { defineOperation, serveAction } from "./operation";
import * as schemas from "./schemas/character";
import { draftCharacter, queuedCharacter } from "./schemas/character";
import { canceledTraining } from "./schemas/example-generation";
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
  summary: "List characters",
  description: "Returns your characters, newest first. The status of a character is that of its newest training.",
  cost: "read",
  query: schemas.CharacterQuery,
  responses: { 200: { description: "One page of characters", schema: schemas.CharacterPage } },
  problems: [],
  async handler({ ctx, query }) {
    const { data, next_cursor } = await listCharacters(ctx, query);
    return { json: { data: data.map((character) => serializeCharacter(ctx, character)), next_cursor } };
  },
});

export const createCharacterOperation = serveAction(characterActions.create, {
  ...shared,
  name: "createCharacter",
  method: "post",
  path: PATH,
  summary: "Create a character",
  description: "Creates a draft. Training and the hold on your balance begin when you start it.",
  responses: {
    201: {
      description: "The created draft",
      schema: schemas.Character,
      example: draftCharacter,
      headers: { Location: "URL of the character" },
      links,
    },
  },
  problems: ["model_not_found"],
  respond: (character) => ({ headers: { Location: `${PATH}/${character.id}` }, json: character }),
});

export const getCharacterOperation = defineOperation({
  ...shared,
  name: "getCharacter",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "Retrieve a character",
  description: "Returns the character with the status, cost and progress of its training.",
  cost: "read",
  params,
  responses: { 200: { description: "The character", schema: schemas.Character } },
  problems: ["resource_not_found"],
  handler: async ({ ctx, params }) => ({ json: serializeCharacter(ctx, await getCharacter(ctx, params.id!)) }),
});

export const updateCharacterOperation = serveAction(characterActions.update, {
  ...shared,
  name: "updateCharacter",
  method: "patch",
  path: `${PATH}/{id}`,
  summary: "Update a character",
  description:
    "Replaces each field that you send. Returns 409 `invalid_state` while a training is running. A change after a " +
    "training applies to the next one, which then starts from the beginning.",
  params,
  responses: { 200: { description: "The updated character", schema: schemas.Character, example: draftCharacter } },
  problems: ["resource_not_found", "model_not_found", "invalid_state"],
});

export const deleteCharacterOperation = serveAction(characterActions.delete, {
  ...shared,
  name: "deleteCharacter",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Delete a character",
  description:
    "Deletes the character. Its trained weights remain as ordinary outputs, which expire. Returns 409 `invalid_state` " +
    "while a training is running.",
  params,
  responses: { 204: { description: "Deleted" } },
  problems: ["resource_not_found", "invalid_state"],
});

const trainingLinks = { getCharacter: "/id", cancelCharacter: "/id" } as const;
const acceptedTraining = {
  description: "Training accepted",
  schema: schemas.Character,
  example: queuedCharacter,
  links: trainingLinks,
};
const training = [
  "resource_not_found",
  "model_not_found",
  "invalid_state",
  "insufficient_credits",
  "no_route_available",
] as const;

export const startCharacterOperation = serveAction(characterActions.start, {
  ...shared,
  name: "startCharacter",
  method: "post",
  path: `${PATH}/{id}/start`,
  summary: "Start training",
  description:
    "Starts the training of a draft as a generation of the base model and holds the estimate. Images named by hash may " +
    "be uploaded later; until then the status is `awaiting_supply`. Returns 409 `invalid_state` unless the character " +
    "is a draft.",
  params,
  responses: { 202: acceptedTraining },
  problems: [...training, "quote_expired"],
});

export const resumeCharacterOperation = serveAction(characterActions.resume, {
  ...shared,
  name: "resumeCharacter",
  method: "post",
  path: `${PATH}/{id}/resume`,
  summary: "Resume training",
  description:
    "Resumes a failed or canceled training from its last checkpoint, as a new generation priced for the remaining work. " +
    "Checks the files of a training that is `awaiting_supply` again; one that the last upload has just queued is returned " +
    "unchanged. Returns 409 `invalid_state` in any other state.",
  params,
  responses: { 202: acceptedTraining },
  problems: ["invalid_input", ...training],
});

export const cancelCharacterOperation = serveAction(characterActions.cancel, {
  ...shared,
  name: "cancelCharacter",
  method: "post",
  path: `${PATH}/{id}/cancel`,
  summary: "Cancel training",
  description:
    "Cancels the training and returns its generation. Bills the GPU time used, up to the estimate. Canceling again " +
    "returns the same generation; any other state returns 409 `invalid_state`.",
  params,
  responses: { 200: { description: "The canceled generation", schema: Generation, example: canceledTraining } },
  problems: ["resource_not_found", "invalid_state"],
});
