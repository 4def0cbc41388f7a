import { expect, test } from "vitest";
import { openFileHub } from "../../../test/file-hub";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { findFile, openContent } from "./find-file";
import { serializeFile, serializeOutput } from "./file";
import { findSignedFile, signLink } from "../input-files/signed-url";

const { hub, advance, newAccount, ctxOf, queue, end, output } = await openFileHub();
const DAY_MS = 86_400_000;
const account = await newAccount();
const ctx = ctxOf(account);

const queryOf = (link: string) => {
  const query = new URL(link).searchParams;
  return { expires: query.get("expires")!, signature: query.get("signature")! };
};

test("treats missing, malformed and other accounts' ids alike", async () => {
  const otherAccountsFile = await output(await newAccount());
  const errors = await Promise.all(
    [newId(), "not-an-id", "../../x", "", otherAccountsFile].map((id) =>
      findFile(ctx, id).catch((caught: unknown) => caught),
    ),
  );
  for (const error of errors) {
    expect(error).toMatchObject({ code: "resource_not_found", message: "Resource not found" });
  }
});

test("a file is not found from the moment it expires", async () => {
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

test("a generation accepted after the expiry, or of another account, does not restore a file", async () => {
  const id = await output(account);
  const other = await newAccount();
  await queue(other, { prompt: `a stranger names ${id}` });
  advance(31 * DAY_MS);
  await queue(account, { prompt: `too late for ${id}` });
  await expect(findFile(ctx, id)).rejects.toMatchObject({ code: "file_expired" });
});

test("reports content that has just been removed as expired", async () => {
  const file = await findFile(ctx, await output(account));
  await hub.storage.remove(file.id);
  await expect(openContent(hub, file)).rejects.toMatchObject({ code: "file_expired" });
});

test("a signed link opens its file without credentials until it expires", async () => {
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

test("a signature is valid only for its file, expiry and hub", async () => {
  const [id, other] = [await output(account), await output(account)];
  const validQuery = queryOf(signLink(hub, id, new Date(hub.now().getTime() + 60_000)));
  const otherAccount = queryOf(
    signLink(deriveHub(hub, { secret: "t".repeat(32) }), id, new Date(hub.now().getTime() + 60_000)),
  );
  const forged: [string, typeof validQuery][] = [
    [other, validQuery],
    [id, otherAccount],
    [id, { ...validQuery, expires: String(Number(validQuery.expires) + 1) }],
    [id, { ...validQuery, expires: "Infinity" }],
    [id, { ...validQuery, expires: "" }],
    [id, { ...validQuery, signature: "" }],
    [id, { ...validQuery, signature: validQuery.signature.slice(0, -2) }],
    [id, { ...validQuery, signature: `${validQuery.signature}AA` }],
    [id, { ...validQuery, signature: "é".repeat(43) }],
  ];
  for (const [target, query] of forged) {
    await expect(findSignedFile(hub, target, query)).rejects.toMatchObject({ code: "unauthorized" });
  }
  expect((await findSignedFile(hub, id, validQuery)).id).toBe(id);
});

test("a valid signature returns 410 for expired and 404 for unknown content", async () => {
  const id = await output(account);
  const link = (file: string) => queryOf(signLink(hub, file, new Date(hub.now().getTime() + 90 * DAY_MS)));
  const query = link(id);
  advance(31 * DAY_MS);
  await expect(findSignedFile(hub, id, query)).rejects.toMatchObject({ code: "file_expired" });
  const unknown = newId();
  await expect(findSignedFile(hub, unknown, link(unknown))).rejects.toMatchObject({ code: "resource_not_found" });
});

test("serializes a file and an output as the specification says", async () => {
  const file = await findFile(ctx, await output(account, "abc"));
  const url = `https://hub.example/base/api/v1/hub/files/${file.id}`;
  const expires_at = file.expires_at.toISOString();
  expect(serializeFile(hub, file)).toEqual({
    id: file.id,
    name: "sandbox-image-1.png",
    url,
    size: 3,
    media_type: "image/png",
    expires_at,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  });
  const asJson = { id: file.id, index: 0, media_type: "image/png", size: 3, expires_at: "2026-03-31T14:00:00.5+02:00" };
  expect(serializeOutput(hub, asJson)).toEqual({
    index: 0,
    media_type: "image/png",
    url,
    size: 3,
    expires_at: "2026-03-31T12:00:00.500Z",
  });
});
