import type { Model, Route } from "../../catalogue/model";
import type { FileRow } from "../files/file";

/** The body of a chat; everything except `model` is the model's input. */
export interface ChatBody extends Record<string, unknown> {
  model: string;
}

/** A validated chat. */
export interface ChatRequest {
  model: Model;
  input: Record<string, unknown> & { messages: unknown[] };
  /** The account's own files among its images, by URL. */
  files: Map<string, FileRow>;
  /** At least one, in the operator's order. */
  routes: Route[];
  /** Whether processing the whole body, with its files inlined, takes long enough to block other requests. */
  isLarge: boolean;
}
