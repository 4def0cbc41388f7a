import type { Failure } from "../../providers/provider";

/** The reason with which a chat's signal is aborted; its `failure` is stored as the chat's error. */
export class ChatAborted extends Error {
  override readonly name = "ChatAborted";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
