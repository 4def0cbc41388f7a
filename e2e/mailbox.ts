import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { expect } from "./journey";

/** Opens a mail server. `readLink` waits for an e-mail with a link that matches, and returns the newest such link. */
export async function openMailbox() {
  const texts: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      void buffer(stream).then((bytes) => {
        texts.push(bytes.toString().replace(/=\r\n/g, "").replaceAll("=3D", "="));
        done();
      });
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const readLink = async (link: RegExp) => {
    const find = () => texts.findLast((text) => link.test(text));
    await expect.poll(find).toBeDefined();
    return link.exec(find()!)![0];
  };
  return { url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`, readLink, close: () => server.close() };
}
