import { Inngest } from "inngest";

export const APP_ID = "generation-hub";
void Inngest;
