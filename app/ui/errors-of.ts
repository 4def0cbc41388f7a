import type { DisplayedError } from "@/server/trpc/error";

interface ReadableError {
  message: string;
  /** Null when the hub could not be reached. */
  code: DisplayedError["code"] | null;
  /** Set when credit is short. */
  funds?: DisplayedError["funds"];
  /** Set when a budget does not cover the request. */
  budget?: DisplayedError["budget"];
  /** Returns the error of a field, or of a value nested in it, as a sentence about `subject`. */
  field: (name: string, subject?: string) => string | undefined;
  /** Returns the message, unless one of these fields has an error and shows it. */
  messageUnlessAt: (...names: string[]) => string | undefined;
}

/** Returns the message, the code and the field errors of a failed request; null without an error. */
export function errorsOf(error: unknown): ReadableError | null {
  if (!error) return null;
  const { message, data } = error as { message: string; data?: Partial<DisplayedError> | null };
  const fields = data?.errors ?? {};
  const paths = Object.keys(fields);
  const field = (name: string, subject = "This field") => {
    const path = paths.find((one) => one === name || one.startsWith(`${name}.`));
    return path && fields[path]?.[0] && toSentence(subject, fields[path][0]);
  };
  const text = messageOf(message, data);
  const messageUnlessAt = (...names: string[]) => (names.some((name) => field(name)) ? undefined : text);
  return { message: text, code: data?.code ?? null, funds: data?.funds, budget: data?.budget, field, messageUnlessAt };
}

const isOffline = () => typeof navigator !== "undefined" && navigator.onLine === false;

const subjects: Record<string, string> = { body: "The request", file: "The file" };

function messageOf(message: string, data: Partial<DisplayedError> | null | undefined): string {
  // Without `data`, the request never reached the hub.
  if (!data) return isOffline() ? "You are offline." : "The hub could not be reached. Try again.";
  const [[path, [issue] = []] = []] = Object.entries(data.errors ?? {});
  return path && issue ? toSentence(subjects[path] ?? path, issue) : message;
}

const PREDICATE = /^(already|can|cannot|ended|exceeds|has|is|looks|matches|may|must|names|needs|was) /;

/** The API words most issues to follow the name of the field: "is required". */
function toSentence(subject: string, issue: string): string {
  // A host name keeps its case.
  const text = PREDICATE.test(issue)
    ? `${subject} ${issue}`
    : issue.replace(/^[a-z](?!\S*\.\S)/, (one) => one.toUpperCase());
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
