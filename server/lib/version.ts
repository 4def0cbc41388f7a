/** The version of the hub, as in package.json. */
export const VERSION = "0.2.0";
