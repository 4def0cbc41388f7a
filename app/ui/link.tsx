import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * Renders a link within the app, without prefetching: the frame around a page is loaded already, and a list of links
 * would cost the hub as many requests.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink {...props} prefetch={false} />;
