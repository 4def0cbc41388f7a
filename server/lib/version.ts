/** The version of the hub, that of package.json. */
export const VERSION = "0.2.0";
