import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";

/** Opens a real mail server on loopback that records received messages. */
export async function openMailServer(): Promise<{ url: string; received: { to: string[]; text: string }[] }> {
  const received: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      void buffer(stream).then((bytes) => {
        const text = bytes.toString().replace(/=\r\n/g, "").replaceAll("=3D", "=");
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${(listener.address() as { port: number }).port}`, received };
}
