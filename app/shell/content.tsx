"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { PageSkeleton } from "../ui/skeleton";
import { endNavigation, usePendingPath } from "./navigation-progress";

/**
 * Shows the page, or a skeleton during a slow navigation. There is no `loading.tsx`, because it would split each page
 * from its frame, and React delays late content by 300 ms after the first paint.
 */
export function Content({ children }: { children: ReactNode }) {
  const here = usePathname();
  const pendingPath = usePendingPath();
  useEffect(endNavigation, [here]);
  const isPending = pendingPath !== null && pendingPath !== here;
  return (
    <main
      id="main"
      tabIndex={-1}
      aria-busy={isPending}
      className="relative mx-auto w-full max-w-6xl min-w-0 p-4 outline-none sm:p-8"
    >
      {isPending && (
        <div className="absolute inset-4 sm:inset-8">
          <div className="sticky top-20 lg:top-8">
            <PageSkeleton />
          </div>
        </div>
      )}
      {/* The page keeps its height, or the browser would forget how far it was scrolled. */}
      <div className={isPending ? "invisible" : undefined}>{children}</div>
    </main>
  );
}
