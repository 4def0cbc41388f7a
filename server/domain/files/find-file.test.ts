import { expect, test } from "vitest";
import { fileHub } from "../../../test/file-hub";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { findFile, openContent } from "./find-file";
import { serializeFile, serializeOutput } from "./file";
import { findSignedFile, signLink } from "./signed-url";

const { hub, advance, newAccount, ctxOf, queue, end, output } = await fileHub();
const DAY_MS = 86_400_000;
const account = await newAccount();
const ctx = ctxOf(account);

const queryOf = (link: string) => {
  const query = new URL(link).searchParams;
  return { expires: query.get("expires")!, signature: query.get("signature")! };
};

test("missing, malformed and foreign ids look the same", async () => {
  const foreign = await output(await newAccount());
  const faults = await Promise.all(
    [newId(), "not-an-id", "../../x", "", foreign].map((id) => findFile(ctx, id).catch((error: unknown) => error)),
  );
  for (const fault of faults) {
    expect(fault).toMatchObject({ code: "resource_not_found", message: "There is no such resource" });
  }
});

test("a file is gone the moment it expires", async () => {
  const id = await output(account);
  advance(30 * DAY_MS - 1);
  expect((await findFile(ctx, id)).id).toBe(id);
  advance(1);
  await expect(findFile(ctx, id)).rejects.toMatchObject({ code: "file_expired" });
});

test("a file that an unsettled generation uses does not expire until that ends", async () => {
  const id = await output(account);
  const generation = await queue(account, { prompt: "x", image_input: [`${hub.env.BASE_URL}/api/v1/hub/files/${id}`] });
  advance(31 * DAY_MS);
  expect((await findFile(ctx, id)).id).toBe(id);
  await end(generation, "failed");
  await expect(findFile(ctx, id)).rejects.toMatchObject({ code: "file_expired" });
});

test("a generation accepted after the end, or of another account, brings nothing back", async () => {
  const id = await output(account);
  const other = await newAccount();
  await queue(other, { prompt: `a stranger names ${id}` });
  advance(31 * DAY_MS);
  await queue(account, { prompt: `too late for ${id}` });
  await expect(findFile(ctx, id)).rejects.toMatchObject({ code: "file_expired" });
});

test("content that has just been removed is expired", async () => {
  const file = await findFile(ctx, await output(account));
  await hub.storage.remove(file.id);
  await expect(openContent(hub, file)).rejects.toMatchObject({ code: "file_expired" });
});

test("a signed link opens its file to anybody, until its time", async () => {
  const id = await output(account);
  const link = signLink(hub, id, new Date(hub.now().getTime() + 60_900));
  expect(link).toMatch(
    new RegExp(`^https://hub\\.example/base/api/v1/hub/files/${id}\\?expires=\\d+&signature=[\\w-]{43}$`),
  );
  expect((await findSignedFile(hub, id, queryOf(link))).id).toBe(id);
  advance(59_999);
  expect((await findSignedFile(hub, id, queryOf(link))).id).toBe(id);
  advance(1_000);
  await expect(findSignedFile(hub, id, queryOf(link))).rejects.toMatchObject({ code: "unauthorized" });
});

test("a signature is good for its file, its time and its hub only", async () => {
  const [id, other] = [await output(account), await output(account)];
  const good = queryOf(signLink(hub, id, new Date(hub.now().getTime() + 60_000)));
  const stranger = queryOf(
    signLink(deriveHub(hub, { secret: "t".repeat(32) }), id, new Date(hub.now().getTime() + 60_000)),
  );
  const forged: [string, typeof good][] = [
    [other, good],
    [id, stranger],
    [id, { ...good, expires: String(Number(good.expires) + 1) }],
    [id, { ...good, expires: "Infinity" }],
    [id, { ...good, expires: "" }],
    [id, { ...good, signature: "" }],
    [id, { ...good, signature: good.signature.slice(0, -2) }],
    [id, { ...good, signature: `${good.signature}AA` }],
    [id, { ...good, signature: "é".repeat(43) }],
  ];
  for (const [target, query] of forged) {
    await expect(findSignedFile(hub, target, query)).rejects.toMatchObject({ code: "unauthorized" });
  }
  expect((await findSignedFile(hub, id, good)).id).toBe(id);
});

test("a good signature still answers 410 for expired and 404 for unknown content", async () => {
  const id = await output(account);
  const link = (file: string) => queryOf(signLink(hub, file, new Date(hub.now().getTime() + 90 * DAY_MS)));
  const query = link(id);
  advance(31 * DAY_MS);
  await expect(findSignedFile(hub, id, query)).rejects.toMatchObject({ code: "file_expired" });
  const unknown = newId();
  await expect(findSignedFile(hub, unknown, link(unknown))).rejects.toMatchObject({ code: "resource_not_found" });
});

test("the wire sees a file and an output as the specification has them", async () => {
  const file = await findFile(ctx, await output(account, "abc"));
  const url = `https://hub.example/base/api/v1/hub/files/${file.id}`;
  const expires_at = file.expires_at.toISOString();
  expect(serializeFile(hub, file)).toEqual({
    ...{ id: file.id, url, size: 3, media_type: "image/png", expires_at },
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  });
  const asJson = { id: file.id, index: 0, media_type: "image/png", size: 3, expires_at: "2026-03-31T14:00:00.5+02:00" };
  expect(serializeOutput(hub, asJson)).toEqual({
    ...{ index: 0, media_type: "image/png", url, size: 3 },
    expires_at: "2026-03-31T12:00:00.500Z",
  });
});
