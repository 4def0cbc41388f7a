import { readFile } from "node:fs/promises";
import path from "node:path";
import { openReceiver } from "../test/webhooks/receiver";
import { startHub } from "./server";

/**
 * Starts one hub on an empty data directory for all tests, and a webhook receiver: its `/hook/away` rejects
 * deliveries, and `/hook/ill` fails until `/hook/ill/cure` is requested. Tests find both through environment
 * variables.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let isIll = true;
  const receiver = await openReceiver((response, { url }) => {
    if (url === "/hook/ill/cure") isIll = false;
    if (url === "/hook/away") response.writeHead(410).end("gone for good");
    else if (url === "/hook/ill" && isIll) response.writeHead(503).end("not today");
    else response.writeHead(200).end("thank you");
  });
  const authority = path.resolve(import.meta.dirname, "../test/authority/authority.cert.pem");
  const hub = await startHub({
    env: {
      OUTBOUND_ALLOW_HOSTS: receiver.host,
      NODE_EXTRA_CA_CERTS: authority,
      WEBHOOK_RETRY_DELAYS_SECONDS: "2,2,2,2,2,2,2",
    },
  });
  process.env.E2E_RECEIVER = receiver.url;
  process.env.E2E_URL = hub.url;
  process.env.E2E_KEY = hub.key;
  process.env.E2E_EMAIL = hub.demo.email;
  process.env.E2E_PASSWORD = hub.demo.password;
  process.env.E2E_DATA_DIR = hub.dataDir;
  process.env.E2E_SECRET = await readFile(path.join(hub.dataDir, "secret"), "utf8");
  return async () => {
    await hub.stop();
  };
}
