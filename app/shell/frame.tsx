import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { getPageApi } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { ProofDialog } from "../factors/proof-dialog";
import { Trpc } from "../trpc/client";
import { Link, SkipLink } from "../ui/link";
import { Logo } from "../ui/logo";
import { readTheme, THEME_COOKIE } from "../ui/theme";
import { ThemeSwitch } from "../ui/theme-switch";
import { Toasts } from "../ui/toasts";
import { AccessProvider } from "../ui/access-context";
import { Content } from "./content";
import { KeepFocus } from "./keep-focus";
import { KeepSession } from "./keep-session";
import { type Area, Navigation } from "./navigation";
import { PaletteButton } from "./palette-button";
import { Sheet } from "./sheet";
import { Shortcuts } from "./shortcuts";
import { SignOut } from "./sign-out-button";
import { StayWhileOffline } from "./stay-while-offline";

interface Props {
  session: Session;
  area: Area;
  /** Shown above the page, such as whose account is viewed. */
  banner?: ReactNode;
  /** Who is signed in, and for which account; by default the person's address. */
  identity?: ReactNode;
  children: ReactNode;
}

/** Lays out a console: a sidebar on wide screens, a sheet on narrow ones. */
export async function Frame({ session: { hub, actor }, area, banner, identity, children }: Props) {
  const { permissionsOf, readSession } = await getPageApi();
  const claims = await readSession(hub, await headers());
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  const home = area === "admin" ? "/admin" : "/overview";
  const title = area === "admin" ? "Hub admin" : "Generation Hub";
  const footer = (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line pt-2">
      <ThemeSwitch theme={theme} />
      <div className="flex items-center justify-between gap-2 pl-2">
        {identity || (
          <span className="min-w-0 truncate text-xs text-soft" title={actor.person.email}>
            {actor.person.email}
          </span>
        )}
        <SignOut />
      </div>
    </div>
  );
  return (
    <Trpc>
      <AccessProvider
        permissions={permissionsOf(actor)}
        hubRole={actor.person.hubRole}
        isViewing={Boolean(actor.view)}
        canShare={hub.env.SHARE_LINKS === "on"}
      >
        <Toasts>
          <SkipLink />
          <KeepFocus />
          <ProofDialog />
          {claims && <KeepSession seen={claims.seen} />}
          {area === "console" && <Shortcuts />}
          <StayWhileOffline />
          <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
            <aside className="sticky top-0 hidden h-dvh flex-col gap-2 overflow-y-auto border-r border-line bg-raised p-3 lg:flex">
              <Link href={home} className="flex items-center gap-2.5 px-3 pt-1 font-semibold">
                <Logo />
                {title}
              </Link>
              {area === "console" && <PaletteButton />}
              <Navigation area={area} />
              <div className="mt-auto">{footer}</div>
            </aside>
            <div className="min-w-0">
              {banner}
              <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-raised px-3 py-2 lg:hidden">
                <Sheet area={area} footer={footer} />
                <Link href={home} className="flex items-center gap-2 font-semibold pointer-coarse:min-h-11">
                  <Logo />
                  {title}
                </Link>
                {area === "console" && <PaletteButton iconOnly />}
              </header>
              <Content>{children}</Content>
            </div>
          </div>
        </Toasts>
      </AccessProvider>
    </Trpc>
  );
}
