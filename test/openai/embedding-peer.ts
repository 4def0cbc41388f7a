import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { listenOnLoopback } from "../loopback";

// A provider of large vectors and its customer, in a separate process, so that their work does not count as the hub's.
const [count = 0, dimensions = 0] = process.argv.slice(2).map(Number);

const vector = Buffer.from(Float32Array.from({ length: dimensions }, (_, n) => Math.sin(n)).buffer);
const items = Array.from({ length: count }, (_, index) => ({ index, embedding: vector.toString("base64") }));
const answer = JSON.stringify({ data: items, usage: { prompt_tokens: count } });

const upstream = createServer((request, response) => {
  request.resume().once("end", () => response.writeHead(200, { "content-type": "application/json" }).end(answer));
});
process.send!({ port: await listenOnLoopback(upstream) });

interface Order {
  url: string;
  headers: Record<string, string>;
  format: string;
  /** Sends this many tokens for each vector instead of a text. */
  tokens?: number;
  /** Leaves before the answer is read. */
  leaves?: boolean;
}

process.on("message", ({ url, headers, format, tokens, leaves }: Order) => {
  const input = Array.from({ length: count }, (_, n) => (tokens ? new Array(tokens).fill(n) : `text ${n}`));
  const body = JSON.stringify({ model: "embed", input, encoding_format: format });
  void fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body }).then(
    async (response) => {
      if (leaves) {
        await response.body!.cancel();
        return process.send!({ status: response.status });
      }
      const text = await response.text();
      const { data = [] } = JSON.parse(text) as { data?: { index: number; embedding: string | number[] }[] };
      const isSame = data.every(({ index, embedding }, n) => index === n && toBytes(embedding).equals(vector));
      const sha256 = createHash("sha256").update(text).digest("hex");
      const replayed = response.headers.get("idempotent-replayed");
      process.send!({ status: response.status, count: data.length, isSame, sha256, replayed });
    },
  );
});

const toBytes = (embedding: string | number[]) =>
  typeof embedding === "string" ? Buffer.from(embedding, "base64") : Buffer.from(Float32Array.from(embedding).buffer);
