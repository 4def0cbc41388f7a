import type { Failure } from "../../providers/provider";

/** Why a chat's signal was aborted, as its record will say. */
export class ChatAborted extends Error {
  override readonly name = "ChatAborted";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
