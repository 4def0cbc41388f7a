import { postAuth } from "../session/post-auth";

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
