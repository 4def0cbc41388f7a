import type { ReactNode } from "react";
import { Trpc } from "../trpc/client";
import { Link } from "../ui/link";
import { Logo } from "../ui/logo";

/** Lays out the sign-in pages. */
export default function AccessLayout({ children }: { children: ReactNode }) {
  return (
    <Trpc>
      <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 p-6">
        <Link href="/" className="flex items-center justify-center gap-2.5 font-semibold pointer-coarse:min-h-11">
          <Logo />
          Generation Hub
        </Link>
        {children}
      </main>
    </Trpc>
  );
}
