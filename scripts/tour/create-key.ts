import { runHubCommand } from "./run-hub-command";

const EMAIL = "tour@example.org";

/** Creates an API key of the tour's account, which it creates or credits, by the operator's commands while the hub is running. */
export async function createTourKey(): Promise<string> {
  const password = crypto.randomUUID();
  await runHubCommand("account", "create", "--email", EMAIL, "--password", password, "--credit", "1").catch(() =>
    // The account exists from the second tour on.
    runHubCommand("credit", "grant", "--email", EMAIL, "--amount", "1", "--note", "For the tour"),
  );
  return (await runHubCommand<{ key: string }>("key", "create", "--email", EMAIL, "--name", "tour")).key;
}
