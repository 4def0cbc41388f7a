import { catalogueActions } from "../../actions/catalogue";
import { rejectFile } from "../../actions/reject-catalogue";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/catalogue";
import { etagHeader, etagOf, ifMatchHeader, readBase, rejectMismatch } from "./revision-etag";

const PATH = "/api/v1/admin/catalogue";

export const getAdminCatalogue = serveOperatorAction(catalogueActions.get, {
  name: "getAdminCatalogue",
  method: "get",
  path: PATH,
  summary: "Retrieve the catalogue",
  description: "Returns the applied catalogue in YAML, and its revision as `ETag`.",
  responses: { 200: { description: "The catalogue", schema: schemas.AdminCatalogue, headers: etagHeader } },
  problems: [],
  readInput: () => undefined,
  respond: (catalogue) => ({ json: catalogue, headers: { ETag: etagOf(catalogue.revision) } }),
});

export const replaceAdminCatalogue = serveOperatorAction(rejectMismatch(catalogueActions.apply), {
  name: "replaceAdminCatalogue",
  method: "put",
  path: PATH,
  summary: "Replace the catalogue",
  description:
    "Applies a catalogue in all running hubs. `If-Match` must have the `ETag` of the catalogue that you changed: 412 " +
    "if another one was applied since. A token may name no provider's address and no variable that the applied catalogue " +
    "does not have for it (403): an operator adds those. 400 with the place in the price books if one of the applied ones " +
    "would sell below cost, or names a model that is gone. 409 while the hub reads its catalogue from a file.",
  requestHeaders: ifMatchHeader("catalogue"),
  forbids: "The token is an auditor's, or the catalogue names a new address or variable of a provider",
  responses: { 200: { description: "The revision", schema: schemas.AppliedCatalogue, headers: etagHeader } },
  problems: ["invalid_state"],
  readInput: ({ hub, body, request }) => {
    // Before the action, whose 409 means that the catalogue was changed.
    rejectFile(hub);
    return { ...body, base: readBase(request, PATH) };
  },
  respond: (revision) => ({ json: { revision }, headers: { ETag: etagOf(revision) } }),
});

export const checkAdminCatalogue = serveOperatorAction(catalogueActions.check, {
  name: "checkAdminCatalogue",
  method: "post",
  path: `${PATH}/check`,
  summary: "Check a catalogue",
  description:
    "Checks a catalogue, also against the applied price books, and compares it with the applied one. Changes nothing.",
  responses: { 200: { description: "What the check found", schema: schemas.CheckedCatalogue } },
  problems: [],
  readInput: ({ body }) => body,
});

export const listAdminRevisions = serveOperatorAction(catalogueActions.revisions, {
  name: "listAdminRevisions",
  method: "get",
  path: `${PATH}/revisions`,
  summary: "List revisions of the catalogue",
  description: "Returns the newest 50 revisions, with who applied each and why.",
  responses: { 200: { description: "The revisions", schema: schemas.CatalogueRevisions } },
  problems: [],
  readInput: () => undefined,
  respond: (data) => ({ json: { data } }),
});
