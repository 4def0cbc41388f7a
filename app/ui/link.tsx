import NextLink from "next/link";
import type { ComponentProps } from "react";
import { ArrowLeft } from "lucide-react";

/**
 * Renders a link within the app, without prefetching: the frame around a page is loaded already, and a list of links
 * would cost the hub as many requests.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink {...props} prefetch={false} />;

/** Renders a link to the page above this one. */
export const BackLink = ({ href, children }: { href: string; children: string }) => (
  <Link href={href} className="touch-target mb-3 inline-flex items-center gap-1.5 text-sm text-soft hover:text-ink">
    <ArrowLeft size={16} aria-hidden />
    {children}
  </Link>
);

/** Renders the first link in tab order, which skips the navigation. */
export const SkipLink = () => (
  <a
    href="#main"
    className="fixed left-3 top-3 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
  >
    Skip to content
  </a>
);
