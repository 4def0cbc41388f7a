import { NonRetriableError } from "inngest";
import { GENERATION_FAILED } from "./events";

/**
 * Ends the run of a generation that has failed for a reason of its own: engines show the run as failed, with the code of the
 * error. Its message stays with the generation, where it can be erased. Nothing is wrong with the hub, and nothing is left to do.
 */
export class GenerationFailed extends NonRetriableError {
  override name = GENERATION_FAILED;

  constructor({ code }: { code: string }) {
    super(code);
  }
}
