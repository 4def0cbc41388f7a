/** Connects to the public API with a key. The methods throw an error with the response unless its status is 2xx. */
export function connectApi(base: string, key: string) {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const url = path.startsWith("http") ? path : `${base}/api/v1${path}`;
    const response = await fetch(url, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
    if (response.ok) return response;
    throw new Error(`${init.method ?? "GET"} ${url} responded with ${response.status}: ${await response.text()}`);
  };
  return {
    get: async <T>(path: string): Promise<T> => (await call(path)).json() as Promise<T>,
    bytes: async (path: string): Promise<Buffer> => Buffer.from(await (await call(path)).arrayBuffer()),
    upload: async <T>(path: string, content: Uint8Array<ArrayBuffer>, name: string): Promise<T> => {
      const body = new FormData();
      body.append("file", new Blob([content]), name);
      return (await call(path, { method: "POST", body })).json() as Promise<T>;
    },
    remove: async (path: string): Promise<void> => void (await call(path, { method: "DELETE" })),
    post: async <T>(
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; body: T; headers: Headers }> => {
      const init = {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      };
      const response = await call(path, init);
      return { status: response.status, body: (await response.json()) as T, headers: response.headers };
    },
  };
}

export type Api = ReturnType<typeof connectApi>;
