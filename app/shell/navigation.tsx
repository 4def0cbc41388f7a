"use client";

import { BookOpen, Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Link } from "../ui/link";
import { Button } from "../ui/button";
import { loadOverlay } from "../ui/load-overlays";
import { consolePages } from "./pages";

const baseClass = "flex min-h-9 items-center gap-3 rounded-lg px-3 text-sm font-medium pointer-coarse:min-h-11";

/** Lists the links of the console. `onLeave` runs when one is followed. */
export function Navigation({ onLeave }: { onLeave?: () => void }) {
  const here = usePathname();
  return (
    <nav aria-label="Console" className="grid gap-0.5">
      {consolePages.map(({ path, title, Icon }) => {
        const isHere = here === path || here.startsWith(`${path}/`);
        return (
          <Link
            key={path}
            href={path}
            onClick={onLeave}
            aria-current={isHere ? "page" : undefined}
            className={`${baseClass} ${isHere ? "bg-wash text-accent" : "text-soft hover:bg-sunken hover:text-ink"}`}
          >
            <Icon size={18} aria-hidden />
            {title}
          </Link>
        );
      })}
      <Link
        href="/docs/quick-start"
        onClick={onLeave}
        className={`${baseClass} text-soft hover:bg-sunken hover:text-ink`}
      >
        <BookOpen size={18} aria-hidden />
        Documentation
      </Link>
    </nav>
  );
}

const MenuPanel = loadOverlay((overlays) => overlays.MenuPanel);

/** Shows the navigation on narrow screens, in a side sheet. */
export function Sheet({ footer }: { footer: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="ghost"
        className="px-2"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} aria-hidden />
      </Button>
      {open && <MenuPanel footer={footer} onClose={() => setOpen(false)} />}
    </>
  );
}
