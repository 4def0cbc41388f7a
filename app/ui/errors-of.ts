import type { ToldError } from "@/server/trpc/error";

/** What a failed call says: its sentence, and the fault of each field that was sent. */
export function errorsOf(error: unknown): { message: string; field: (name: string) => string | undefined } | null {
  if (!error) return null;
  const { message, data } = error as { message: string; data?: Partial<ToldError> | null };
  const fields = data?.errors ?? {};
  // Without data it never reached the hub.
  const sentence = data ? message : "The hub could not be reached. Try again.";
  return { message: sentence, field: (name) => fields[name]?.[0] };
}
