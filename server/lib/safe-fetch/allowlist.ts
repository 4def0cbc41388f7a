import { OperatorError } from "../operator-error";

/** `host:port` pairs that the operator trusts although their addresses are not public. */
export type Allowlist = ReadonlySet<string>;

/** Reads `OUTBOUND_ALLOW_HOSTS`; throws when an entry is not a host with its port. */
export function parseAllowlist(allowHosts: string[]): Allowlist {
  return new Set(
    allowHosts.map((entry) => {
      const [, host, port] = /^(.+):(\d{1,5})$/.exec(entry.trim()) ?? [];
      if (!host || !URL.canParse(`http://${host}`)) {
        throw new OperatorError(`OUTBOUND_ALLOW_HOSTS: "${entry}" is not host:port.`);
      }
      return `${new URL(`http://${host}`).hostname}:${Number(port)}`;
    }),
  );
}

export const isAllowlisted = (allowlist: Allowlist, { hostname, port, protocol }: URL): boolean =>
  allowlist.has(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
