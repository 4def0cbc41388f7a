import { type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { openFileHub } from "../../../test/file-hub";
import { hashOf } from "../../../test/insert-file";
import { deriveHub } from "../../../test/derive-hub";
import { serveRequests } from "../../../test/serve-requests";
import { newId } from "../../lib/id";
import { createSafeFetch } from "../../lib/safe-fetch";
import { linkInput, readInput } from "./input-file";
import { findSignedFile, type LinkSignature } from "./signed-url";

const { hub: base, advance, newAccount, output } = await openFileHub();
const account = await newAccount();
const signal = new AbortController().signal;
let answer: RequestListener;
const origin = await serveRequests((request, response) => answer(request, response));
const hub = deriveHub(base, { fetch: createSafeFetch({ allowHosts: [new URL(origin).host] }) });

const own = (id: string) => `https://hub.example/base/api/v1/hub/files/${id}`;
const rejection = (url: string, by = account) =>
  readInput(hub, by, url, { signal }).then(
    () => "read",
    ({ name, message, retryable }: Error & { retryable: boolean }) => `${name}: ${message} ${retryable}`,
  );

test("reads one of the account's files, under any spelling of its URL", async () => {
  const id = await output(account, "mine");
  for (const url of [
    own(id),
    `${own(id)}?expires=1&signature=x`,
    own(id).replace("https://hub", "HTTPS://HUB"),
    `${own(id)}#top`,
  ]) {
    expect((await readInput(hub, account, url, { signal })).toString()).toBe("mine");
  }
});

test("reads content by its hash, in upper and lower case", async () => {
  await output(account, "by hash");
  for (const hash of [hashOf("by hash"), hashOf("by hash").toUpperCase()]) {
    expect((await readInput(hub, account, `sha256:${hash}`, { signal })).toString()).toBe("by hash");
  }
});

test("links the account's files with a signature, and leaves external URLs unchanged", async () => {
  const id = await output(account, "linked");
  const until = new Date(hub.now().getTime() + 60_000);
  for (const name of [own(id), `sha256:${hashOf("linked")}`]) {
    const { origin, pathname, searchParams } = new URL(await linkInput(hub, account, name, until));
    expect(origin + pathname).toBe(own(id));
    const query = Object.fromEntries(searchParams) as unknown as LinkSignature;
    expect(await findSignedFile(hub, id, query)).toMatchObject({ id });
  }
  expect(await linkInput(hub, account, "https://pictures.example/a.png?b#c", until)).toBe(
    "https://pictures.example/a.png?b#c",
  );
  await expect(linkInput(hub, account, own(newId()), until)).rejects.toThrow("An input file does not exist.");
});

test("treats another account's, an unknown and a malformed file URL as missing, and fetches nothing", async () => {
  const otherAccountsFile = await output(await newAccount(), "theirs");
  for (const id of [otherAccountsFile, newId(), "x", "", `${otherAccountsFile}/..%2f`]) {
    expect(await rejection(own(id))).toBe("InputUnavailable: An input file does not exist. false");
  }
  expect(await rejection(`sha256:${hashOf("theirs")}`)).toBe("InputUnavailable: An input file does not exist. false");
});

test("reports an expired file", async () => {
  const id = await output(account);
  advance(31 * 86_400_000);
  for (const name of [own(id), `sha256:${hashOf("content")}`]) {
    expect(await rejection(name)).toBe("InputUnavailable: An input file has expired. false");
  }
});

test("reads an external URL", async () => {
  answer = (_, response) => response.end("theirs");
  expect((await readInput(hub, account, `${origin}/picture.png`, { signal })).toString()).toBe("theirs");
});

test.each([
  [404, false],
  [301, false],
  [429, true],
  [503, true],
])("a response with status %s is no input; retryable: %s", async (status, retryable) => {
  answer = (_, response) => response.writeHead(status, { location: "/elsewhere" }).end();
  expect(await rejection(origin)).toBe(`InputUnavailable: An input's URL returned status ${status}. ${retryable}`);
});

test("rejects private, malformed and too large URLs without a retry", async () => {
  expect(await rejection("http://127.0.0.1:1/")).toBe(
    "InputUnavailable: An input could not be fetched. The URL is not on the public internet. false",
  );
  expect(await rejection("not a url")).toMatch(/The URL is not a valid URL. false$/);
  answer = (_, response) => response.end(Buffer.alloc(20 * 1024 * 1024 + 1));
  expect(await rejection(origin)).toMatch(/The response is larger than 20971520 bytes. false$/);
});

test("passes on the caller's abort reason", async () => {
  answer = () => undefined;
  const controller = new AbortController();
  const reading = readInput(hub, account, origin, { signal: controller.signal });
  controller.abort(new Error("too late"));
  await expect(reading).rejects.toThrow("too late");
});
