const LIFETIME_MS = 3_600_000;
/** What the key can spend at most. */
export const TEMPORARY_LIMIT_EUR = 1;

/** Creates an API key for this page with the console's session, and returns it. Throws if the hub rejects it. */
export async function createTemporaryKey(): Promise<string> {
  const response = await fetch("/api/v1/hub/keys", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Requested-With": "XMLHttpRequest" },
    body: JSON.stringify({
      name: "API reference (temporary)",
      expires_at: new Date(Date.now() + LIFETIME_MS).toISOString(),
      spend_limit: TEMPORARY_LIMIT_EUR,
    }),
  });
  if (!response.ok) throw new Error(`The hub answered with ${response.status}.`);
  return ((await response.json()) as { key: string }).key;
}
