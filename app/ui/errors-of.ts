import type { DisplayedError } from "@/server/trpc/error";

interface ReadableError {
  message: string;
  /** Null when the hub could not be reached. */
  code: DisplayedError["code"] | null;
  /** Returns the error of a field, or of a value nested in it. */
  field: (name: string) => string | undefined;
}

/** Returns the message, the code and the field errors of a failed request; null without an error. */
export function errorsOf(error: unknown): ReadableError | null {
  if (!error) return null;
  const { message, data } = error as { message: string; data?: Partial<DisplayedError> | null };
  const fields = data?.errors ?? {};
  // Without `data`, the request never reached the hub.
  const sentence = data ? message : "The hub could not be reached. Try again.";
  const paths = Object.keys(fields);
  const field = (name: string) => {
    const path = paths.find((one) => one === name || one.startsWith(`${name}.`));
    return path && fields[path]?.[0];
  };
  return { message: sentence, code: data?.code ?? null, field };
}
