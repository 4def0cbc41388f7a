import { NonRetriableError } from "inngest";
import { GENERATION_FAILED } from "./events";

/**
 * Ends the run of a generation that has failed for a reason of its own: engines show the run as failed, with the code
 * and the message that its customer got. Nothing is wrong with the hub, and nothing is left to do.
 */
export class GenerationFailed extends NonRetriableError {
  override name = GENERATION_FAILED;

  constructor({ code, message }: { code: string; message: string }) {
    super(`${code}: ${message}`);
  }
}
