import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { readSession } from "@/server/lib/session-token";
import { requireSession } from "../session/caller";
import { Content } from "../shell/content";
import { KeepFocus } from "../shell/keep-focus";
import { KeepSession } from "../shell/keep-session";
import { Navigation } from "../shell/navigation";
import { Sheet } from "../shell/sheet";
import { PaletteButton } from "../shell/palette-button";
import { Shortcuts } from "../shell/shortcuts";
import { SignOut } from "../shell/sign-out";
import { Trpc } from "../trpc/client";
import { Link, SkipLink } from "../ui/link";
import { Logo } from "../ui/logo";
import { readTheme, THEME_COOKIE } from "../ui/theme";
import { ThemeSwitch } from "../ui/theme-switch";
import { Toasts } from "../ui/toasts";

/** Lays out the console: a sidebar on wide screens, a sheet on narrow ones. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { hub, account } = await requireSession();
  const claims = await readSession(hub.secret, await headers());
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  const footer = (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3">
      <ThemeSwitch theme={theme} />
      <div className="flex items-center justify-between gap-2 pl-2">
        <span className="min-w-0 truncate text-xs text-soft" title={account.email}>
          {account.email}
        </span>
        <SignOut />
      </div>
    </div>
  );
  return (
    <Trpc>
      <Toasts>
        <SkipLink />
        <KeepFocus />
        {claims && <KeepSession seen={claims.seen} />}
        <Shortcuts />
        <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
          <aside className="sticky top-0 hidden h-dvh flex-col gap-6 overflow-y-auto border-r border-line bg-raised p-4 lg:flex">
            <Link href="/overview" className="flex items-center gap-2.5 px-3 pt-1 font-semibold">
              <Logo />
              Generation Hub
            </Link>
            <PaletteButton />
            <Navigation />
            <div className="mt-auto">{footer}</div>
          </aside>
          <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-raised px-3 py-2 lg:hidden">
            <Sheet footer={footer} />
            <Link href="/overview" className="flex items-center gap-2 font-semibold pointer-coarse:min-h-11">
              <Logo />
              Generation Hub
            </Link>
            <PaletteButton iconOnly />
          </header>
          <Content>{children}</Content>
        </div>
      </Toasts>
    </Trpc>
  );
}
