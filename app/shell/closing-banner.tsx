"use client";

import { TriangleAlert } from "lucide-react";
import { useFormats } from "../ui/formats-context";
import { Link } from "../ui/link";

/** Says that the account closes, and where an owner can keep it. */
export function ClosingBanner({ closesAt }: { closesAt: string }) {
  const { date } = useFormats();
  return (
    <section
      aria-label="Closing"
      className="flex items-start gap-3 border-b border-warning bg-warning-wash px-4 py-2.5 text-sm leading-6 text-warning"
    >
      <TriangleAlert size={16} aria-hidden className="mt-1 shrink-0" />
      <p className="min-w-0">
        This account closes on {date(closesAt)}. You can read everything until then.{" "}
        <Link href="/settings#close" className="touch-target underline">
          View the closing
        </Link>
      </p>
    </section>
  );
}
