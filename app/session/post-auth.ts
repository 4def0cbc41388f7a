/** The response of next-auth, with the URL to open next. */
interface AuthResponse {
  status: number;
  url?: string;
}

/**
 * Calls one of next-auth's own routes as its client does. That client would make the scripts of a console page
 * 5 % larger. Rejects when the hub cannot be reached.
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

/** Signs in with a password and opens `next`; returns an error message on failure. */
export async function signInWithPassword(email: string, password: string, next: string): Promise<string | null> {
  const response = await postAuth("callback/credentials", { email, password }).catch(() => null);
  if (!response) return "The hub could not be reached. Try again.";
  if (response.status === 429) return "Too many failed attempts. Wait a moment and try again.";
  if (response.status === 401) return "The e-mail address or password is wrong.";
  if (response.status !== 200) return "The hub could not sign you in. Try again.";
  // A full page load drops data that was fetched without a session.
  window.location.assign(next);
  return null;
}
