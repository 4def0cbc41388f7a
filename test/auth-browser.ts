/** Returns as much of a browser as signing in at this URL takes: it keeps cookies and follows no redirects. */
export function newBrowser(url: string) {
  const jar = new Map<string, string>();
  const set: string[] = [];
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const go = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: cookie(), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(url + path, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      set.push(line);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    return response;
  };
  /** Fills in a form of next-auth. */
  const post = async (path: string, fields: Record<string, string>) => {
    const { csrfToken } = (await (await go("/api/auth/csrf")).json()) as { csrfToken: string };
    return go(path, { method: "POST", body: new URLSearchParams({ csrfToken, json: "true", ...fields }) });
  };
  const session = async () => (await (await go("/api/auth/session")).json()) as { user?: { email: string } };
  return { go, post, session, cookie, jar, set };
}
