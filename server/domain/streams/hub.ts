import type { HubParts } from "../../context";
import type { EnvelopesHub } from "../envelopes";
import type { ChangeServices } from "../generations/changes";
import type { ReadHub } from "../generations/read";
import { type AccountFeeds, createAccountFeeds } from "./account-feeds";
import { createGenerationFeeds, type GenerationFeeds } from "./generation-feeds";
import { createOpenStreams, type OpenStreams } from "./open-streams";

/** What the streams of one process share. */
export interface StreamServices {
  openStreams: OpenStreams;
  generationFeeds: GenerationFeeds;
  accountFeeds: AccountFeeds;
}

/** What feeds need of the hub. */
export type FeedsHub = Pick<HubParts, "db" | "env" | "log" | "now"> &
  ReadHub &
  EnvelopesHub & { services: ChangeServices };

/** What streams need of the hub. */
export type StreamsHub = FeedsHub & { services: StreamServices };

/** Returns the services of streams. */
export const createStreamServices = (hub: FeedsHub): StreamServices => ({
  openStreams: createOpenStreams(hub),
  generationFeeds: createGenerationFeeds(hub),
  accountFeeds: createAccountFeeds(hub),
});
