import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import {
  BROWSER_FORMATS_COOKIE,
  CHOSEN_FORMATS_COOKIE,
  readAcceptedLocale,
  readFormatsCookie,
} from "./ui/format-settings";
import { FormatsProvider } from "./ui/formats-context";
import { readTheme, THEME_COOKIE } from "./ui/theme";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Generation Hub", template: "%s · Generation Hub" },
  description: "A self-hosted gateway that runs media and text generations against a prepaid balance in EUR.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { children: ReactNode }) {
  // Read on the server, so that no page flashes in the wrong theme or with other formats.
  const store = await cookies();
  const read = (name: string) => store.get(name)?.value;
  const theme = readTheme(read(THEME_COOKIE));
  const browser = readFormatsCookie(read(BROWSER_FORMATS_COOKIE));
  browser.locale ??= readAcceptedLocale((await headers()).get("accept-language"));
  return (
    <html lang="en" data-theme={theme}>
      <body>
        <FormatsProvider chosen={readFormatsCookie(read(CHOSEN_FORMATS_COOKIE))} browser={browser}>
          {children}
        </FormatsProvider>
      </body>
    </html>
  );
}
