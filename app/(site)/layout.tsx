import type { ReactNode } from "react";
import { findCaller } from "../session/caller";
import { Link, SkipLink } from "../ui/link";
import { Logo } from "../ui/logo";

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const { session } = await findCaller();
  return (
    <div className="site">
      <SkipLink />
      <header className="bar">
        <Link href="/" className="brand">
          <Logo />
          Generation Hub
        </Link>
        <nav aria-label="Main">
          <Link href="/docs/quick-start">Quick start</Link>
          <Link href="/docs">API</Link>
          <Link href="/docs/webhooks">Webhooks</Link>
          <Link href="/docs/hub/errors">Errors</Link>
          <Link href={session ? "/overview" : "/sign-in"} className="way-in">
            {session ? "Console" : "Sign in"}
          </Link>
        </nav>
      </header>
      <main id="main">{children}</main>
    </div>
  );
}
