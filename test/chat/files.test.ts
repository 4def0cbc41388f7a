import { beforeAll, expect, test } from "vitest";
import { expireFiles } from "../../server/domain/files/expire";
import { newId } from "../../server/lib/id";
import { type Customer, newCustomer } from "../api/customer";
import { hashOf, insertFile } from "../insert-file";
import { makePng } from "../media/png";
import { openChatHost, userMessages } from "./host";

const host = await openChatHost();
let customer: Customer;
let picture: Buffer;
beforeAll(async () => {
  customer = await newCustomer(host.hub);
  picture = await makePng("red", { width: 12, height: 8 });
});

const urlOf = (id: string) => `https://hub.test/api/v1/hub/files/${id}`;
const store = (account: number, content: Buffer, mediaType = "image/png", hours = 24) =>
  insertFile(host.hub, account, content, { mediaType, hours });
const image = (url: string) => ({ type: "image_url", image_url: { url, detail: "low" } });
const ask = (...parts: unknown[]) =>
  host.chat(customer.key, { messages: userMessages([{ type: "text", text: "What is this?" }, ...parts]) });
const sent = () => host.upstream.requests.at(-1)!.body.messages[0]!.content as unknown[];
const rejected = async (...parts: unknown[]) => {
  const { status, body } = await ask(...parts);
  const { code, message } = body.error as { code: string; message: string };
  return [status, code, message.split(":")[0]];
};

test("forwards the content of the hub's files, keeps the rest of the part, and records the request as sent", async () => {
  const id = await store(customer.account, picture);
  const inline = `data:image/png;base64,${picture.toString("base64")}`;
  const { status, body } = await ask(
    image(urlOf(id)),
    { type: "image_url", image_url: `sha256:${hashOf(picture)}` },
    image(`${urlOf(id)}?expires=1&signature=x`),
  );
  expect(status).toBe(200);
  expect(sent()).toEqual([
    { type: "text", text: "What is this?" },
    image(inline),
    { type: "image_url", image_url: inline },
    image(inline),
  ]);
  const [row] = await host.hub.db.query<{ input: object }>("SELECT input FROM generation WHERE id = $1", [body.id]);
  expect(JSON.stringify(row!.input)).toContain(urlOf(id));
  expect(JSON.stringify(row!.input)).not.toContain("base64");
});

test("forwards external URLs and data: URLs unchanged", async () => {
  const parts = [
    image("https://pictures.example/a.png?x=1#y"),
    image("data:image/png;base64,AAAA"),
    image("https://hub.test.example/api/v1/hub/files/x"),
  ];
  expect((await ask(...parts)).status).toBe(200);
  expect(sent().slice(1)).toEqual(parts);
});

test.each([
  ["http://169.254.169.254/latest/meta-data"],
  ["http://10.1.2.3/a.png"],
  ["https://localhost/a.png"],
  ["http://0x7f.1/a.png"],
  ["http://[::ffff:127.0.0.1]/a.png"],
  ["http://files.internal/a.png"],
  ["https://pictures.example\\@10.0.0.1/a.png"],
  ["https://name:secret@pictures.example/a.png"],
])("rejects an image at %s with 400 and does not forward it", async (url) => {
  const before = host.upstream.requests.length;
  const rejection = [400, "invalid_input", "messages.0.content.2.image_url"];
  expect(await rejected(image("https://pictures.example/a.png"), image(url))).toEqual(rejection);
  expect(host.upstream.requests).toHaveLength(before);
});

test("forwards an image at a private address that the operator allows", async () => {
  host.hub.env.OUTBOUND_ALLOW_HOSTS.push("10.1.2.3:80");
  expect((await ask(image("http://10.1.2.3/a.png"))).status).toBe(200);
  expect(await rejected(image("http://10.1.2.3:81/a.png"))).toEqual([
    400,
    "invalid_input",
    "messages.0.content.1.image_url",
  ]);
});

test("accepts images of ten hosts and rejects more", async () => {
  const images = Array.from({ length: 11 }, (_, n) => image(`http://10.1.2.3/${n}?x`));
  expect((await ask(...images)).status).toBe(200);
  const hosts = Array.from({ length: 11 }, (_, n) => image(`https://h${n}.pictures.example/a.png`));
  expect((await ask(...hosts.slice(1))).status).toBe(200);
  expect(await rejected(...hosts)).toEqual([400, "invalid_input", "messages.0.content.11.image_url"]);
});

test("rejects missing, foreign and non-image files with 400 and their location, and expired ones with 410", async () => {
  const location = "messages.0.content.1.image_url";
  const invalid = [400, "invalid_input", location];
  const expired = [410, "file_expired", location];
  const otherCustomer = await newCustomer(host.hub);
  const otherAccountsFile = Buffer.concat([picture, Buffer.from("secret")]);
  expect(await rejected(image(urlOf(await store(otherCustomer.account, otherAccountsFile))))).toEqual(invalid);
  expect(await rejected(image(`sha256:${hashOf(otherAccountsFile)}`))).toEqual(invalid);
  expect(await rejected(image(urlOf(newId())))).toEqual(invalid);
  expect(await rejected(image(urlOf("nothing")))).toEqual(invalid);
  expect(await rejected(image(urlOf(await store(customer.account, Buffer.from("text"), "text/plain"))))).toEqual(
    invalid,
  );
  expect(await rejected(image(`sha256:${"0".repeat(63)}`))).toEqual(invalid);

  const old = Buffer.concat([picture, Buffer.from("old")]);
  const id = await store(customer.account, old, "image/png", 1);
  host.hub.clock.advance(2 * 3_600_000);
  expect(await rejected(image(urlOf(id)))).toEqual(expired);
  expect(await rejected(image(`sha256:${hashOf(old)}`))).toEqual(expired);
  await expireFiles(host.hub, 100);
  expect(await rejected(image(urlOf(id)))).toEqual(expired);
  expect(await rejected(image(`sha256:${hashOf(old)}`))).toEqual(expired);
  await store(customer.account, old);
  expect((await ask(image(`sha256:${hashOf(old).toUpperCase()}`))).status).toBe(200);
});

test("accepts files of 32 MiB in total", async () => {
  const large = await store(customer.account, Buffer.concat([picture, Buffer.alloc(17 * 2 ** 20)]));
  const other = await store(customer.account, Buffer.concat([picture, Buffer.alloc(16 * 2 ** 20)]));
  expect((await ask(image(urlOf(large)))).status).toBe(200);
  expect(await rejected(image(urlOf(large)), image(urlOf(other)))).toEqual([400, "invalid_input", "messages"]);
});

test("content that is removed after the hold ends the chat without a charge", async () => {
  const id = await store(customer.account, picture);
  await host.hub.storage.remove(id);
  const { status, body } = await ask(image(urlOf(id)));
  expect([status, (body.error as { code: string }).code]).toEqual([410, "file_expired"]);
  const [row] = await host.hub.db.query(
    "SELECT status, billed_cost, error->>'code' AS code FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [customer.account],
  );
  expect(row).toEqual({ status: "failed", billed_cost: 0n, code: "input_unavailable" });
});

test("the sandbox reads the hub's images", async () => {
  const id = await store(customer.account, picture);
  const { body } = await host.chat(customer.key, { model: "sandbox-text", messages: userMessages([image(urlOf(id))]) });
  expect(JSON.stringify(body.choices)).toContain("a png picture of 12 × 8 pixels");
});
