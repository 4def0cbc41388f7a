"use client";

import { useEffect, useRef, useState } from "react";
import { Link } from "../../../ui/link";
import { loadScalar } from "./load-scalar";

/** Shows the API description in Scalar, without anything that would contact another server. */
export function Explorer() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  useEffect(() => {
    let isLeft = false;
    let reference: { destroy?: () => void } | undefined;
    const show = async () => {
      const scalar = await loadScalar();
      if (isLeft || !place.current) return;
      reference = scalar.createApiReference(place.current, configuration());
      setState("ready");
    };
    void show().catch(() => setState("failed"));
    return () => {
      isLeft = true;
      reference?.destroy?.();
    };
  }, []);
  return (
    <>
      {state !== "ready" && (
        <p role="status" className="p-6 text-soft">
          {state === "loading" ? (
            "Loading the explorer…"
          ) : (
            <>
              The explorer could not be loaded. Reload the page, or use <Link href="/docs">the reference</Link>.
            </>
          )}
        </p>
      )}
      <div ref={place} />
    </>
  );
}

const configuration = () => ({
  url: "/api/v1/openapi.json",
  // The page's policy allows requests to its own origin only, whatever host the hub is reached by.
  servers: [{ url: window.location.origin }],
  forceDarkModeState: isDark() ? "dark" : "light",
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
});

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}
