import type { Actor, HubParts } from "../../context";
import type { Exposure } from "../../env";
import type { Failure, FailureCode } from "../../providers/failure";

/** The parts of the hub that the exposure of attempts uses. */
export type ExposureHub = Pick<HubParts, "exposure">;

/** Returns what an actor sees of attempts: everything if it is a person with a role of the hub. */
export const exposureTo = ({ exposure }: ExposureHub, actor: Actor): Exposure =>
  actor.kind === "user" && actor.person?.hubRole ? "full" : exposure;

/** Returns the provider kind that customers see: `worker` always, all others only at full exposure, otherwise `hub`. */
export const showProvider = (exposure: Exposure, kind: string): string =>
  isShown(exposure, kind) ? kind : HIDDEN_PROVIDER;

/** Returns a failure as customers see it. A message that a provider may have written is replaced, unless a worker has. */
export function showFailure<F extends Failure | null>(exposure: Exposure, failure: F, kind?: string): F {
  const message = failure && !isShown(exposure, kind) ? messages[failure.code] : null;
  return message === null ? failure : { ...failure, message };
}

const HIDDEN_PROVIDER = "hub";

const isShown = (exposure: Exposure, kind: string | undefined): boolean => exposure === "full" || kind === "worker";

/** What replaces the messages of providers; null for codes whose messages the hub itself writes, and that name no provider. */
const messages: Record<FailureCode, string | null> = {
  provider_error: "The work failed.",
  provider_refused: "The work was rejected before it started.",
  content_refused: "Safety rules refused the content. Change the input and try again.",
  invalid_output: "The output could not be used.",
  input_unavailable: null,
  timeout: "The work took too long.",
  supply_timeout: null,
  internal_error: null,
};
