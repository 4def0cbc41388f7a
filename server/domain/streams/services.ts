import { type AccountFeeds, createAccountFeeds } from "./account-feeds";
import { createGenerationFeeds, type GenerationFeeds } from "./generation-feeds";
import type { FeedsHub } from "./hub";
import { createOpenStreams, type OpenStreams } from "./open-streams";

/** What the streams of one process share. */
export interface StreamServices {
  openStreams: OpenStreams;
  generationFeeds: GenerationFeeds;
  accountFeeds: AccountFeeds;
}

/** The parts of the hub that streams use. */
export type StreamsHub = FeedsHub & { services: StreamServices };

/** Returns the services of streams. */
export const createStreamServices = (hub: FeedsHub): StreamServices => ({
  openStreams: createOpenStreams(hub),
  generationFeeds: createGenerationFeeds(hub),
  accountFeeds: createAccountFeeds(hub),
});
