import { postAuth } from "../session/post-auth";

/** Signs in by password and goes on; else the sentence that says why not. */
export async function enter(email: string, password: string, next: string): Promise<string | null> {
  const answer = await postAuth("callback/credentials", { email, password }).catch(() => null);
  if (!answer) return "The hub could not be reached. Try again.";
  if (answer.status === 429) return "Too many failed attempts. Wait a moment and try again.";
  if (answer.status === 401) return "The e-mail address or password is wrong.";
  if (answer.status !== 200) return "The hub could not sign you in. Try again.";
  // A whole new page: what was fetched without a session is of no use.
  window.location.assign(next);
  return null;
}
