/** Creates a client that signs in at this URL as a browser would: it stores cookies, and follows no redirects. */
export function newBrowser(url: string) {
  const jar = new Map<string, string>();
  const setCookies: string[] = [];
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const navigate = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: cookie(), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(url + path, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    return response;
  };
  /** Posts a form of next-auth with its CSRF token. */
  const post = async (path: string, fields: Record<string, string>, headers = {}) => {
    const { csrfToken } = (await (await navigate("/api/auth/csrf")).json()) as { csrfToken: string };
    const body = new URLSearchParams({ csrfToken, json: "true", ...fields });
    return navigate(path, { method: "POST", body, headers });
  };
  const session = async () => (await (await navigate("/api/auth/session")).json()) as { user?: { email: string } };
  return { navigate, post, session, cookie, jar, setCookies };
}
