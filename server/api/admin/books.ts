import { bookActions } from "../../actions/books";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/books";
import { AppliedCatalogue } from "../schemas/catalogue";
import { etagHeader, etagOf, ifMatchHeader, readBase, rejectMismatch } from "./revision-etag";

const PATH = "/api/v1/admin/books";

export const getAdminBooks = serveOperatorAction(bookActions.get, {
  name: "getAdminBooks",
  method: "get",
  path: PATH,
  summary: "Retrieve the price books",
  description: "Returns the applied price books, in YAML and as a list, and their revision as `ETag`.",
  responses: { 200: { description: "The price books", schema: schemas.AdminBooks, headers: etagHeader } },
  problems: [],
  readInput: () => undefined,
  respond: (books) => ({ json: books, headers: { ETag: etagOf(books.revision) } }),
});

export const replaceAdminBooks = serveOperatorAction(rejectMismatch(bookActions.apply), {
  name: "replaceAdminBooks",
  method: "put",
  path: PATH,
  summary: "Replace the price books",
  description:
    "Applies price books in all running hubs. `If-Match` must have the `ETag` of the books that you changed: 412 if others " +
    "were applied since. 400 for books that would sell below cost, or that lack one that accounts are on.",
  requestHeaders: ifMatchHeader("price books"),
  responses: { 200: { description: "The revision", schema: AppliedCatalogue, headers: etagHeader } },
  problems: ["invalid_state"],
  readInput: ({ body, request }) => ({ ...body, base: readBase(request, PATH) }),
  respond: (revision) => ({ json: { revision }, headers: { ETag: etagOf(revision) } }),
});

export const checkAdminBooks = serveOperatorAction(bookActions.check, {
  name: "checkAdminBooks",
  method: "post",
  path: `${PATH}/check`,
  summary: "Check price books",
  description: "Checks price books against the catalogue in use. Changes nothing.",
  responses: { 200: { description: "What the check found", schema: schemas.CheckedBooks } },
  problems: [],
  readInput: ({ body }) => body,
});
