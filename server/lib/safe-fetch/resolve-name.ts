import { lookup, Resolver } from "node:dns/promises";

/** All addresses of a name; none when it has none. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<string[]>;

/** Asks the DNS directly, off the thread pool that getaddrinfo would let a slow name server fill up. */
export const resolvePublicName: Lookup = async (name, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

/** Asks the system, and so its hosts file: for the names that the operator trusts. */
export const resolveTrustedName: Lookup = async (name) => {
  const answers = await lookup(name, { all: true }).catch(() => []);
  return answers.map(({ address }) => address);
};
