import type { Model, Route } from "../../catalogue/model";
import type { FileRow } from "../files/file";

/** The body of a chat: everything beside `model` is the input of its model. */
export interface ChatBody extends Record<string, unknown> {
  model: string;
}

/** A chat that was checked and can be served. */
export interface ChatRequest {
  model: Model;
  input: Record<string, unknown> & { messages: unknown[] };
  /** The account's own files that it names. */
  files: Map<string, FileRow>;
  /** At least one, in the operator's order. */
  routes: Route[];
  /** Whether every look at the whole body, with its files in place, is long work. */
  isLarge: boolean;
}
