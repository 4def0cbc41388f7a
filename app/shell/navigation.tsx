"use client";

import { BookOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { Link } from "../ui/link";
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
