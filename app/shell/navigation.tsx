"use client";

import { ArrowLeft, BookOpen, type LucideIcon, ShieldCheck } from "lucide-react";
import { usePathname } from "next/navigation";
import { adminPages, listPages } from "./pages";
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
  const pages = area === "admin" ? adminPages : listPages(permissions);
  const current = pages.filter(({ path }) => here === path || here.startsWith(`${path}/`)).at(-1);
  return (
    <nav aria-label={area === "admin" ? "Admin" : "Console"} className="grid gap-0.5">
      {pages.map((page) => (
        <Item key={page.path} {...page} isCurrent={page === current} onLeave={onLeave} />
      ))}
      {area === "admin" ? (
        <Item path="/overview" title="Back to the console" Icon={ArrowLeft} onLeave={onLeave} />
      ) : (
        <>
          <Item path="/docs/quick-start" title="Documentation" Icon={BookOpen} onLeave={onLeave} />
          {hubRole && <Item path="/admin" title="Admin" Icon={ShieldCheck} onLeave={onLeave} />}
        </>
      )}
    </nav>
  );
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
    className={`flex min-h-9 items-center gap-3 rounded-lg px-3 text-sm font-medium pointer-coarse:min-h-11 ${
      isCurrent ? "bg-wash text-accent" : "text-soft hover:bg-sunken hover:text-ink"
    }`}
  >
    <Icon size={18} aria-hidden />
    {title}
  </Link>
);
