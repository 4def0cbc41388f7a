import type { Metadata, Viewport } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Generation Hub", template: "%s · Generation Hub" },
  description: "A self-hosted gateway that runs media and text generations against a prepaid balance in EUR.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header className="bar">
          <Link href="/" className="brand">
            <Mark />
            Generation Hub
          </Link>
          <nav aria-label="Main">
            <Link href="/docs">API</Link>
            <Link href="/docs/hub/errors">Errors</Link>
            <a href="/api/v1/openapi.json">OpenAPI</a>
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

const Mark = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <circle cx="12" cy="12" r="11" fill="var(--accent)" />
    <path d="M3.5 16.5 9 9.5l4 5 2.5-3 5 5" fill="none" stroke="var(--paper)" strokeWidth="2" strokeLinejoin="round" />
    <circle cx="16.5" cy="7" r="1.8" fill="var(--paper)" />
  </svg>
);
