import type { DisplayedError } from "@/server/trpc/error";

interface Told {
  message: string;
  /** Null when the hub was not reached. */
  code: DisplayedError["code"] | null;
  /** The fault of a field that was sent, or of what is inside it. */
  field: (name: string) => string | undefined;
}

/** What a failed call says: its sentence, its code, and the fault of each field. */
export function errorsOf(error: unknown): Told | null {
  if (!error) return null;
  const { message, data } = error as { message: string; data?: Partial<DisplayedError> | null };
  const fields = data?.errors ?? {};
  // Without data it never reached the hub.
  const sentence = data ? message : "The hub could not be reached. Try again.";
  const places = Object.keys(fields);
  const field = (name: string) => {
    const place = places.find((one) => one === name || one.startsWith(`${name}.`));
    return place && fields[place]?.[0];
  };
  return { message: sentence, code: data?.code ?? null, field };
}
