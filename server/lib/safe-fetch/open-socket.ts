import { isIP, type LookupFunction, connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { orAbort } from "./deadline";

/** Where to connect: the addresses are resolved before, and the URL's host only names the certificate. */
export interface Target {
  url: URL;
  addresses: string[];
  /** The TLS session of an earlier connection to the same server. */
  session?: Buffer;
  /** Receives the session of this connection, if its certificate is valid. */
  onSession?: (session: Buffer) => void;
}

// A slow first address is followed by an attempt at the next one.
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Opens a socket to one of the target's addresses, with TLS checked against Node's own store for `https:`. */
export function openSocket(target: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connectSocket(target);
  const opened = new Promise<Socket>((resolve, reject) => {
    socket.once(target.url.protocol === "https:" ? "secureConnect" : "connect", () => resolve(socket));
    // This listener stays: an error between two owners of the socket must not end the process.
    socket.on("error", reject);
  });
  return orAbort(opened, signal).catch((error) => {
    socket.destroy();
    throw error;
  });
}

function connectSocket({ url, addresses, session, onSession }: Target): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    host,
    port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    lookup: createPinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
  };
  if (url.protocol === "http:") return connectTcp(options);
  const servername = isIP(host) ? undefined : host;
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 must not apply here.
  const tls: TLSSocket = connectTls({
    ...options,
    servername,
    session,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  if (onSession) tls.on("session", (ticket) => tls.authorized && onSession(ticket));
  return tls;
}

const createPinnedLookup =
  (addresses: string[]): LookupFunction =>
  (_name, { all }, done) => {
    const entries = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) done(null, entries);
    else done(null, entries[0]!.address, entries[0]!.family);
  };
