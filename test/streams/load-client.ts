import http from "node:http";

// Opens streams and requests that wait, in a process of its own, so that reading them does not delay the clock of a test.

/** What a client opens: a path with its headers, and a body for a request that waits. */
export interface Opening {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** How many requests it opens at once. */
const MAX_AT_ONCE = 50;

const url = process.env.HUB_URL!;
const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });

/** Sends a request and resolves once its response begins to arrive; for one that waits, once it was sent. */
function send({ path, headers, body }: Opening): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { agent, headers, method: body === undefined ? "GET" : "POST" });
    request.on("error", reject);
    request.on("response", (response) => {
      response.on("error", () => undefined).resume();
      if (response.statusCode === 200) response.once("data", () => resolve());
      else if (body === undefined) reject(new Error(`${path}: status ${response.statusCode}`));
    });
    request.end(body);
    if (body !== undefined) request.once("finish", resolve);
  });
}

async function openAll(openings: Opening[]): Promise<void> {
  const left = openings.values();
  const work = async () => {
    for (const opening of left) await send(opening);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
}

process.on("disconnect", () => process.exit(0));
process.on("message", (openings: Opening[]) => void openAll(openings).then(() => process.send!("open")));
process.send!("ready");
