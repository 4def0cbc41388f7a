/** The response of next-auth, with the URL to open next. */
interface AuthResponse {
  status: number;
  url?: string;
}

/**
 * Calls one of next-auth's own routes as its client does. That client would add a twentieth to the scripts of a
 * console page. Rejects when the hub cannot be reached.
 */
export async function postAuth(
  route: "callback/credentials" | "signout" | `signin/${string}`,
  fields: Record<string, string> = {},
): Promise<AuthResponse> {
  const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  const reply = await fetch(`/api/auth/${route}`, { method: "POST", body });
  const { url } = (await reply.json()) as { url?: string };
  return { status: reply.status, url };
}
