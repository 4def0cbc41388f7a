import type { Env } from "../../env";
import { VERSION } from "../../lib/version";
import { type Finding, ok, warn } from "./finding";

const OLDEST_SUPPORTED_NODE = 22;

/** Checks the versions of the hub and of Node. */
export function checkVersions(nodeVersion = process.versions.node): Finding[] {
  const isSupported = Number(nodeVersion.split(".")[0]) >= OLDEST_SUPPORTED_NODE;
  return [
    ok("version", `Generation Hub ${VERSION}`),
    isSupported
      ? ok("node", `Node ${nodeVersion}`)
      : warn("node", `Node ${nodeVersion} gets no security fixes any more`, "Install Node 24."),
  ];
}

/** Warns of settings that are valid but rarely intended. */
export function checkSettings(env: Env): Finding[] {
  const findings = [...checkAddress(env), ...checkProxies(env)];
  if (env.SANDBOX === "on" && !env.embedded)
    findings.push(
      warn("settings", "The sandbox's models are on offer", "Set SANDBOX=off where customers pay for real models."),
    );
  return findings.length > 0 ? findings : [ok("settings", "valid")];
}

function checkAddress({ BASE_URL, embedded }: Env): Finding[] {
  const { protocol, hostname } = new URL(BASE_URL);
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    const remedy = "Set BASE_URL to the URL at which customers reach the hub.";
    return embedded ? [] : [warn("settings", `BASE_URL is ${BASE_URL}, which only this machine reaches`, remedy)];
  }
  return protocol === "https:"
    ? []
    : [warn("settings", "BASE_URL is http: keys and sessions are sent unencrypted", "Put a proxy with TLS in front.")];
}

function checkProxies({ BASE_URL, TRUSTED_PROXIES }: Env): Finding[] {
  if (!BASE_URL.startsWith("https:") || TRUSTED_PROXIES.length > 0) return [];
  const message = "TRUSTED_PROXIES is not set: limits by address count everybody as the proxy";
  return [warn("settings", message, "Set TRUSTED_PROXIES to the addresses of the proxies in front of the hub.")];
}
