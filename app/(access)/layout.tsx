import type { ReactNode } from "react";
import { Trpc } from "../trpc/client";
import { Link } from "../ui/link";
import { Mark } from "../ui/mark";

/** The frame of the pages for whoever is not signed in. */
export default function AccessLayout({ children }: { children: ReactNode }) {
  return (
    <Trpc>
      <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 p-6">
        <Link href="/" className="flex items-center justify-center gap-2.5 font-semibold">
          <Mark />
          Generation Hub
        </Link>
        {children}
      </main>
    </Trpc>
  );
}
