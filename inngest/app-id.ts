/** The name of the hub's app at an Inngest server. */
export const APP_ID = "generation-hub";
