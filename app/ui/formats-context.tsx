"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import {
  BROWSER_FORMATS_COOKIE,
  CHOSEN_FORMATS_COOKIE,
  type PartialFormats,
  resolveFormats,
  toLocale,
  toTimeZone,
  writeFormatsCookie,
} from "./format-settings";
import { defaultFormats, type Formats, getFormats } from "./formats";

interface Context {
  formats: Formats;
  chosen: PartialFormats;
  browser: PartialFormats;
  choose: (chosen: PartialFormats) => void;
}

const FormatsContext = createContext<Context>({
  formats: defaultFormats,
  chosen: { locale: null, timeZone: null },
  browser: { locale: null, timeZone: null },
  choose: () => undefined,
});

const YEAR_S = 31_536_000;

interface Props {
  /** The settings that the server read from the cookies and rendered with. */
  chosen: PartialFormats;
  browser: PartialFormats;
  children: ReactNode;
}

/** Provides the formats to a page, and stores those of the browser in a cookie for the server. */
export function FormatsProvider({ children, ...rendered }: Props) {
  const [browser, setBrowser] = useState(rendered.browser);
  const [chosen, setChosen] = useState(rendered.chosen);
  useEffect(() => {
    const found = readBrowserFormats();
    if (writeFormatsCookie(found) === writeFormatsCookie(rendered.browser)) return;
    writeCookie(BROWSER_FORMATS_COOKIE, found);
    // Renders again only on a browser's first page or when its settings have changed: the first render must match the server's.
    setBrowser(found);
  }, []);
  const context = useMemo(
    () => ({
      formats: getFormats(resolveFormats(chosen, browser)),
      chosen,
      browser,
      choose(next: PartialFormats) {
        writeCookie(CHOSEN_FORMATS_COOKIE, next);
        setChosen(next);
      },
    }),
    [chosen, browser],
  );
  return <FormatsContext value={context}>{children}</FormatsContext>;
}

const readBrowserFormats = (): PartialFormats => ({
  locale: toLocale(navigator.language),
  timeZone: toTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone),
});

function writeCookie(name: string, formats: PartialFormats): void {
  document.cookie = `${name}=${writeFormatsCookie(formats)}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

/** Returns the formatters that apply in this browser. */
export const useFormats = (): Formats => useContext(FormatsContext).formats;

/** Returns the chosen settings, those that the browser reports, and a function that changes the choice. */
export const useFormatChoice = () => useContext(FormatsContext);
