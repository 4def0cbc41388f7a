import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { readTheme, THEME_COOKIE } from "./ui/theme";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Generation Hub", template: "%s · Generation Hub" },
  description: "A self-hosted gateway that runs media and text generations against a prepaid balance in EUR.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { children: ReactNode }) {
  // Read on the server, so that no page flashes in the wrong theme.
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme}>
      <body>{children}</body>
    </html>
  );
}
