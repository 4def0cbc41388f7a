import { isIP } from "node:net";

/** Domains that no public DNS answers for: those of a machine, a local network, a container or a cluster. */
const PRIVATE_DOMAIN = /\.(localhost|local|internal|svc)$/;

/**
 * Returns whether a host name cannot be another party's site: it is an address, or a name that no public DNS answers
 * for. A page of such a host cannot be pointed at this machine by its owner's DNS (DNS rebinding).
 */
function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return isIP(name) !== 0 || !name.includes(".") || PRIVATE_DOMAIN.test(name);
}

/**
 * Returns whether a `Host` header is safe from DNS rebinding: it is absent, which it never is in a browser, or names `ownName`
 * or a private name.
 */
export function isTrustedHost(host: string | null | undefined, ownName?: string): boolean {
  if (host === null || host === undefined) return true;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const name = new URL(`http://${host}`).hostname.replace(/\.$/, "");
  return name === ownName || isPrivateName(name);
}
