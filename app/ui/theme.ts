export const THEME_COOKIE = "theme";
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** What was chosen; whatever else the cookie says is the system's own. */
export const readTheme = (given: string | undefined): Theme => themes.find((theme) => theme === given) ?? "system";
