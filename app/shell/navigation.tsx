"use client";

import { BookOpen, Menu, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Link } from "../ui/link";
import { Button } from "../ui/button";
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

/** Shows the navigation on narrow screens, in a side sheet. */
export function Sheet({ footer }: { footer: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <Button kind="ghost" className="px-2" aria-label="Menu">
          <Menu size={20} aria-hidden />
        </Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col border-r border-line bg-raised p-4"
        >
          <div className="mb-4 flex items-center justify-between">
            <Dialog.Title className="px-3 font-semibold">Generation Hub</Dialog.Title>
            <Dialog.Close asChild>
              <Button kind="ghost" className="px-2" aria-label="Close">
                <X size={18} aria-hidden />
              </Button>
            </Dialog.Close>
          </div>
          <Navigation onLeave={() => setOpen(false)} />
          <div className="mt-auto">{footer}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
