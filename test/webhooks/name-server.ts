import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";

const A = 1;
const HEADER_BYTES = 12;

/** Opens a name server on loopback that answers each IPv4 query with what `next` returns, with a TTL of zero. */
export async function openNameServer(next: () => string): Promise<{ lookup: (name: string) => Promise<string[]> }> {
  const server = createSocket("udp4");
  server.on("message", (query, { port, address }) => server.send(buildReply(query, next), port, address));
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  server.unref();
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return { lookup: (name) => resolver.resolve4(name) };
}

function buildReply(query: Buffer, next: () => string): Buffer {
  let end = HEADER_BYTES;
  while (query[end] !== 0) end += query[end]! + 1;
  const type = query.readUInt16BE(end + 1);
  const question = query.subarray(HEADER_BYTES, end + 5);
  const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, type === A ? 1 : 0, 0, 0, 0, 0]);
  if (type !== A) return Buffer.concat([header, question]);
  // The name of the question, class IN, a TTL of zero, four bytes of address.
  const answer = Buffer.from([0xc0, HEADER_BYTES, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...next().split(".").map(Number)]);
  return Buffer.concat([header, question, answer]);
}
