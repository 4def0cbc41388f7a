import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the app. It fetches nothing ahead: a page's data is read when it is asked for, the frame around it is
 * here already, and a page of links would cost the hub as many requests.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink {...props} prefetch={false} />;
