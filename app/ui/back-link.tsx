import { ArrowLeft } from "lucide-react";
import { Link } from "./link";

/** Renders a link to the page above this one. */
export const BackLink = ({ href, children }: { href: string; children: string }) => (
  <Link href={href} className="mb-3 inline-flex items-center gap-1.5 text-sm text-soft hover:text-ink">
    <ArrowLeft size={16} aria-hidden />
    {children}
  </Link>
);
