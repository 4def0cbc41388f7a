"use client";

import { ArrowLeft, BookOpen, type LucideIcon, ShieldCheck } from "lucide-react";
import { usePathname } from "next/navigation";
import { adminPages, type ConsolePage, listPages } from "./pages";
import { Link } from "../ui/link";
import { useAccess } from "../ui/access-context";

/** The console of an account, or that of the hub's operators. */
export type Area = "console" | "admin";

interface Props {
  area: Area;
  /** Runs when a link is followed. */
  onLeave?: () => void;
}

/** Lists the links of a console. */
export function Navigation({ area, onLeave }: Props) {
  const here = usePathname();
  const { permissions, hubRole } = useAccess();
  const pages: NavigationPage[] = area === "admin" ? adminPages : listPages(permissions);
  const current = pages.filter(({ path }) => here === path || here.startsWith(`${path}/`)).at(-1);
  const itemOf = (page: NavigationPage) => (
    <Item key={page.path} {...page} isCurrent={page === current} onLeave={onLeave} />
  );
  return (
    <nav aria-label={area === "admin" ? "Admin" : "Console"} className="grid gap-px">
      {groupPages(pages).map(({ group, members }) =>
        group === undefined ? (
          members.map(itemOf)
        ) : (
          <div key={group} role="group" aria-label={group} className="grid gap-px">
            <p aria-hidden className="px-3 pt-3 pb-1 text-xs leading-4 text-soft [@media(max-height:58rem)]:py-0">
              {group}
            </p>
            {members.map(itemOf)}
          </div>
        ),
      )}
      {area === "admin" ? (
        <Item path="/overview" title="Back to the console" Icon={ArrowLeft} onLeave={onLeave} />
      ) : (
        <div className="mt-2 grid gap-px border-t border-line pt-2">
          <Item path="/docs/quick-start" title="Documentation" Icon={BookOpen} onLeave={onLeave} />
          {hubRole && <Item path="/admin" title="Admin" Icon={ShieldCheck} onLeave={onLeave} />}
        </div>
      )}
    </nav>
  );
}

type NavigationPage = Pick<ConsolePage, "path" | "title" | "group" | "Icon">;

/** Returns the pages in their groups; those without one come first. */
function groupPages(pages: NavigationPage[]): { group?: string; members: NavigationPage[] }[] {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups.map((group) => ({ group, members: pages.filter((page) => page.group === group) }));
}

interface ItemProps {
  path: string;
  title: string;
  Icon: LucideIcon;
  isCurrent?: boolean;
  onLeave?: () => void;
}

const Item = ({ path, title, Icon, isCurrent = false, onLeave }: ItemProps) => (
  <Link
    href={path}
    onClick={onLeave}
    aria-current={isCurrent ? "page" : undefined}
    className={`flex min-h-8 items-center gap-3 rounded-lg px-3 text-sm font-medium pointer-coarse:min-h-11 [@media(max-height:58rem)_and_(pointer:fine)]:min-h-6.5 ${
      isCurrent ? "bg-wash text-accent" : "text-soft hover:bg-sunken hover:text-ink"
    }`}
  >
    <Icon size={18} aria-hidden />
    {title}
  </Link>
);
