export const THEME_COOKIE = "theme";
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Returns the theme of the cookie; "system" for any other value. */
export const readTheme = (cookie: string | undefined): Theme => themes.find((theme) => theme === cookie) ?? "system";
