import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import type { Hub } from "../../server/domain/hub";
import { EXAMPLE_SECRET, exampleDelivery } from "../../server/page-api/example-delivery";
import { byHand, byLibrary } from "../../app/(site)/docs/webhooks/programs";
import { describeEvent, eventNames } from "../../server/domain/events/event-names";
import { newWebhookSecret } from "../../server/domain/webhook-secrets/secret";
import { signatureHeaders } from "../../server/domain/deliveries/sign";
import { makeProjectFolder } from "../project-folder";
import { isSoak } from "../soak";

const text = await readFile("docs/webhooks.md", "utf8");
const blocks = new Map([...text.matchAll(/```(ts|python|go)\n([^]*?)```/g)].map(([, name, code]) => [name!, code!]));
const shell = /```sh\n(test [^]*?)```/.exec(text)![1]!;

const folder = await makeProjectFolder();
afterAll(() => rm(folder, { recursive: true }));

/** Returns the version of a program, or null if it is not installed. */
const run = (file: string, values: string[], env: Record<string, string> = {}) =>
  new Promise<string | null>((resolve, reject) => {
    execFile(file, values, { cwd: folder, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      if (!error || stdout !== "") resolve(stdout.trim());
      else if (error.code === "ENOENT") resolve(null);
      else if (stderr === "") resolve("");
      else reject(new Error(stderr));
    });
  });
const has = async (file: string, version: string) => (await run(file, [version])) !== null;

interface Message {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

const secret = newWebhookSecret();
const body = '{"id":"1","data":{"prompt":"grüß 🌲"}}';
const sign = (secrets: string[]) =>
  Object.fromEntries(
    Object.entries(signatureHeaders(secrets, { id: "1", event: "generation.completed", body, at: new Date() })).map(
      ([name, value]) => [name.toLowerCase(), value],
    ),
  );
const cases: [string, Message, boolean][] = [
  ["genuine", { secret, headers: sign([secret]), body }, true],
  ["genuine after a rotation, by the old secret", { secret, headers: sign([newWebhookSecret(), secret]), body }, true],
  ["of another secret", { secret, headers: sign([newWebhookSecret()]), body }, false],
  ["changed by one bit", { secret, headers: sign([secret]), body: body.replace("1", "0") }, false],
  ["unsigned", { secret, headers: {}, body }, false],
];
const messages = JSON.stringify(cases.map(([, message]) => message));
const expected = cases.map(([, , genuineNames]) => genuineNames);

const programs: Record<string, () => Promise<string | null>> = {
  async ts() {
    const main = `
      const all = JSON.parse(process.argv[2]!) as { secret: string; headers: Record<string, string>; body: string }[];
      console.log(JSON.stringify(all.map(({ secret, headers, body }) => isGenuine(secret, headers, Buffer.from(body)))));`;
    await writeFile(path.join(folder, "verify.mts"), blocks.get("ts")! + main);
    return run(process.execPath, [path.resolve("node_modules/tsx/dist/cli.mjs"), "verify.mts", messages]);
  },
  async "ts with a library"() {
    const main = `
      const all = JSON.parse(process.argv[2]!) as { secret: string; headers: Record<string, string>; body: string }[];
      const isGenuine = (...given: Parameters<typeof readEvent>) => {
        try { return readEvent(...given).id === "1"; } catch { return false; }
      };
      console.log(JSON.stringify(all.map(({ secret, headers, body }) => isGenuine(secret, headers, body))));`;
    await writeFile(path.join(folder, "library.mts"), byLibrary[0]!.code + main);
    return run(process.execPath, [path.resolve("node_modules/tsx/dist/cli.mjs"), "library.mts", messages]);
  },
  async python() {
    const main = `
import json, sys
print(json.dumps([is_genuine(m["secret"], m["headers"], m["body"].encode()) for m in json.loads(sys.argv[1])]))`;
    await writeFile(path.join(folder, "verify.py"), blocks.get("python")! + main);
    return run("python3", ["verify.py", messages]);
  },
  async go() {
    const main = `package main

import ("encoding/json"; "net/http"; "os"; "verify/hub")

func main() {
	var all []struct { Secret string; Headers map[string]string; Body string }
	if err := json.Unmarshal([]byte(os.Args[1]), &all); err != nil { panic(err) }
	verdicts := []bool{}
	for _, m := range all {
		headers := http.Header{}
		for name, value := range m.Headers { headers.Set(name, value) }
		verdicts = append(verdicts, hub.IsGenuine(m.Secret, headers, []byte(m.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}`;
    await mkdir(path.join(folder, "hub"));
    await writeFile(path.join(folder, "go.mod"), "module verify\n\ngo 1.18\n");
    await writeFile(path.join(folder, "hub", "hub.go"), blocks.get("go")!);
    await writeFile(path.join(folder, "main.go"), main);
    return run("go", ["run", ".", messages], {
      CGO_ENABLED: "0",
      GOFLAGS: "-mod=mod",
      GOTOOLCHAIN: "local",
      GOPROXY: "off",
    });
  },
};
const installed: Record<string, boolean> = {
  ts: true,
  "ts with a library": true,
  python: await has("python3", "--version"),
  // The first run on a machine compiles Go's library, which takes a minute.
  go: isSoak && (await has("go", "version")),
  openssl: await has("openssl", "version"),
};

describe("the code in docs/webhooks.md", () => {
  test.each(Object.keys(programs).filter((name) => installed[name]))(
    "the %s code accepts only genuine messages",
    { timeout: 120_000 },
    async (name) => {
      expect(JSON.parse((await programs[name]!())!)).toEqual(expected);
    },
  );

  test.runIf(installed.openssl)("the shell command accepts only genuine messages", async () => {
    const verdicts: boolean[] = [];
    for (const [, message] of cases) {
      await writeFile(path.join(folder, "body.json"), message.body);
      const SIGNATURE = message.headers["x-service-signature"] ?? "";
      verdicts.push((await run("sh", ["-c", shell], { SECRET: message.secret, SIGNATURE })) === "genuine");
    }
    // It reads only one header.
    expect(verdicts).toEqual([true, false, false, false, false]);
  });

  test("names every header as it is", () => {
    for (const name of Object.keys(signatureHeaders([secret, secret], { id: "1", event: "x", body, at: new Date() }))) {
      expect(text).toContain(`\`${name}\``);
    }
    expect([...blocks.keys()].sort()).toEqual(["go", "python", "ts"]);
  });

  test("the guide in the console has the same code", () => {
    const displayed = byHand.map(({ code }) => code);
    expect(displayed).toEqual([blocks.get("ts")!.trim(), blocks.get("python")!.trim()]);
  });

  const alert = { account: { email: "team@example.com" }, at: expect.any(String) as string };
  const expectedData: Partial<Record<string, object>> = {
    batch: { status: "completed" },
    payment: { currency: "EUR" },
    balance: { ...alert, balance: expect.any(Number) as number },
    key: { ...alert, spend_limit: expect.any(Number) as number },
    budget: { ...alert, spent: expect.any(Number) as number },
    webhook: { ...alert, webhook: { url: expect.any(String) as string } },
  };

  test.each(eventNames)("its example of %s is signed like a delivery", (event) => {
    const { headers, body } = exampleDelivery({ now: () => new Date(), env: { BASE_URL: "http://hub" } } as Hub, event);
    const documentedEvents = new Webhook(EXAMPLE_SECRET).verify(body, headers);
    expect(documentedEvents).toMatchObject({
      event,
      data: expectedData[describeEvent(event).subject] ?? {
        status: event === "generation.running" ? "running" : "succeeded",
      },
    });
  });
});
