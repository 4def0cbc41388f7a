import { attemptLost, internalError, timedOut, unroutable } from "@/server/domain/generations/row/failures";
import type { GenerationDetail } from "./types";

type Failure = NonNullable<GenerationDetail["error"]>;

interface FailureText {
  /** What happened. */
  title: string;
  /** What to do. */
  advice: string;
}

/** Begins the advice if the same input would fail again; a colon and what to change follow. */
const NO_RETRY = "Retrying with the same input won’t help";
const AGAIN_LATER = "Run it again in a few minutes.";
const CONTACT_OPERATOR = "If it keeps failing, contact your operator.";

const texts: Record<Failure["code"], (failure: Failure) => FailureText> = {
  content_refused: () => ({
    title: "The provider’s safety rules refused this.",
    advice: `${NO_RETRY}: change the prompt or the files.`,
  }),
  provider_refused: ({ retryable }) =>
    retryable
      ? { title: "No provider could run this.", advice: `${AGAIN_LATER} ${CONTACT_OPERATOR}` }
      : { title: "The provider rejected the input.", advice: `${NO_RETRY}: change it, then run it again.` },
  provider_error: ({ retryable }) => ({
    title: "The provider failed.",
    advice: retryable ? AGAIN_LATER : `${NO_RETRY}: change it, or try another model.`,
  }),
  invalid_output: ({ retryable }) => ({
    title: "The provider’s output could not be used.",
    advice: retryable ? `Run it again. ${CONTACT_OPERATOR}` : `${NO_RETRY}: choose another format or a smaller size.`,
  }),
  input_unavailable: () => ({
    title: "An input file could not be read.",
    advice: "Check that its URL is public and still works, or upload the file.",
  }),
  timeout: () => ({
    title: "It exceeded the model’s time limit.",
    advice: "Run it again, or ask for less: fewer outputs, a smaller size or a shorter duration.",
  }),
  supply_timeout: () => ({
    title: "Its input files were not uploaded in time.",
    advice: "Upload the files listed below, then run it again.",
  }),
  internal_error: () => ({ title: "An error occurred in the hub.", advice: `${AGAIN_LATER} ${CONTACT_OPERATOR}` }),
};

const unknownWork: FailureText = {
  title: "It is unknown whether the provider did the work.",
  advice: "Run it again if you still need it.",
};

/** Messages of the hub that add nothing to the texts above. */
const plainMessages = [attemptLost, internalError, timedOut, unroutable].map(({ message }) => message);

/** Returns what happened to a failed generation, what to do, and the failure's own message if that says more. */
export function describeFailure(
  failure: Failure,
  attempts: Pick<GenerationDetail["attempts"][number], "outcome">[],
): FailureText & { message: string | null } {
  const { code, message } = failure;
  const isUnknown = attempts.at(-1)?.outcome === "lost" && (code === "provider_error" || code === "timeout");
  const text = isUnknown ? unknownWork : texts[code](failure);
  const isPlain = code === "content_refused" || plainMessages.includes(message);
  return { ...text, message: isPlain ? null : message };
}
