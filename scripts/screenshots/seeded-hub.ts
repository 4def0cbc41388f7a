import path from "node:path";
import { seedAccount, type SeedData } from "../../e2e/seed-account";
import { seedOutputs } from "../../e2e/seed-outputs";
import { type RunningHub, startHub } from "../../e2e/server";
import { newBrowser } from "../../test/auth-browser";
import { openReceiver } from "../../test/webhooks/receiver";
import { seedSamples } from "./seed-samples";

export interface SeededHub extends Pick<RunningHub, "url" | "dataDir" | "demo" | "cli"> {
  /** The session of an account that has data of every kind. */
  cookie: string;
  data: SeedData;
  /** The session of an account without data. */
  emptyCookie: string;
  stop(): Promise<unknown>;
}

/** Starts the built hub on a new data folder, with an account that has data of every kind and an empty one. */
export async function openSeededHub(): Promise<SeededHub> {
  const receiver = await openReceiver((response, { url }) => {
    const isGone = url!.endsWith("/away");
    response.writeHead(isGone ? 410 : 200).end(isGone ? "gone for good" : "thank you");
  });
  const authority = path.resolve("test/authority/authority.cert.pem");
  const hub = await startHub({ env: { OUTBOUND_ALLOW_HOSTS: receiver.host, NODE_EXTRA_CA_CERTS: authority } });
  await hub.cli("credit", "grant", "--email", hub.demo.email, "--amount", "50", "--note", "Invoice 2026-114");
  const empty = { email: "new@example.org", password: "correct horse" };
  await hub.cli("account", "create", "--email", empty.email, "--password", empty.password);
  const cookie = await signIn(hub.url, hub.demo);
  const data = await seedAccount({ ...hub, cookie, receiver: receiver.url });
  data["/generations/[id]"]!.push(...Object.values(await seedOutputs(hub)));
  await seedSamples(hub);
  return { ...hub, cookie, data, emptyCookie: await signIn(hub.url, empty) };
}

async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  const visitor = newBrowser(url);
  await visitor.post("/api/auth/callback/credentials", { email, password });
  return visitor.cookie();
}
