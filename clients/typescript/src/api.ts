// Generated from the hub's OpenAPI document by `npm run clients`. Do not edit.
export interface paths {
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the account, its balance and the API key in use. `available` is the balance less the estimates of all unsettled generations: the most that a new one may cost. */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns what was settled in a period, by one or two groups and in the order of their values. `billed` equals the charges of the ledger in that time: a generation counts when it is settled, whenever it was created. Two labels together, a label with `model`, `key` or `hour`, and keys of `metadata` that are not named in the account's settings cover at most 31 days. `(other)` are the end users or values beyond 10,000 a day. With `format=csv` or `Accept: text/csv` you get all rows as CSV. */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the models that you can use, with their prices, in the operator's order. Only members see models for members. */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns one of the models that you can list. */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/models/{id}/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Checks the input and returns the price that a generation would hold, without creating one. `quote` holds that price for 15 minutes, whatever happens to the catalogue meanwhile: send its id as `quote` with the same model and input. A quote reserves nothing. */
        post: operations["priceInput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns your generations, newest first, with the billed total of all that match. `q` searches their inputs, and `metadata.KEY=VALUE` finds what you have labeled. Use a cursor only with the same filters. */
        get: operations["listGenerations"];
        put?: never;
        /** @description Holds the estimate and queues the generation. With an `Idempotency-Key` you can safely repeat the request: it returns the finished generation (200, for a week after its end), or 503 `generation_in_progress` while it runs. A file parameter (`format: uri`) accepts an http(s) URL, one of your file URLs, or `sha256:` followed by the hash of the content. Content that you have not uploaded yet is listed in `missing`, and the generation is `awaiting_supply`: it is queued when everything is uploaded and fails with `supply_timeout` after a day. `metadata` and `end_user` label it; the headers `X-Hub-Metadata: team=blue, run=7` and `X-Hub-End-User` do the same on every path that makes a generation. With `Prefer: wait=30` (1 to 60 seconds) the response is 200 with the final generation as soon as it has ended, and 202 if it has not ended by then. */
        post: operations["createGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/generations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the status, cost and outputs of a generation. While you poll, send the `ETag` of the last response as `If-None-Match`: you get 304 without content until something has changed. */
        get: operations["getGeneration"];
        put?: never;
        post?: never;
        /** @description Erases the content of a generation that has ended, at once and for good: its input, words, labels, outputs, thumbnails, reply and the messages of errors. The record stays with its ids, times, model, tokens and costs, and so does what you paid. Webhooks that are sent again have the reduced record, and a repeated request with its idempotency key returns it. Your uploads stay until they expire. Repeating the request changes nothing. */
        delete: operations["eraseGeneration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/generations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Cancels a generation that has not started, at no cost, or that runs on a worker, for the GPU time used. With `stop_running: true` it also stops one that runs at a provider, as far as the provider can: the request waits up to ten seconds, and `billed_cost` is what the provider bills, at most the estimate. Canceling again returns the same generation. Returns 409 `generation_not_cancelable` if it has ended or continues to run; a request to stop it remains recorded. */
        post: operations["cancelGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/generations/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns every attempt to run the generation on a route, oldest first, and the routes that were skipped before each. The operator may hide routes, providers and costs, which are then null, or all attempts, so that the list is empty. */
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns your batches, newest first. */
        get: operations["listBatches"];
        put?: never;
        /** @description Starts up to 1,000 generations of one model: all of them, or none if one input is not valid or the balance does not cover the sum of the estimates. Each generation holds its own estimate and settles alone; list them by `batch_id`. `metadata` and `end_user` label all of them. With an `Idempotency-Key` you can safely repeat the request, as for a generation. The event `batch.completed` reports the end. */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns how many generations of the batch have each status, and what they have cost so far. */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/batches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Cancels the generations of the batch that have not started, at no cost; running ones continue. Canceling again changes nothing; a completed batch returns 409 `generation_not_cancelable`. */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/generations/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Sends the generation at once and at each change, and ends after the final one. `event: generation` has a whole generation as its data, with `queue_position` while it waits at the provider, `stored_outputs` and `preview` while it runs. Every event has an `id`: send the last one as `Last-Event-ID` to continue after it, without a lost or repeated change of status. Comments keep the connection open. `event: log` has a line of the provider's or the worker's log, `{at, line}`. */
        get: operations["streamGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/generations/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the latest preview of a running generation, 256 pixels wide, if its provider or worker makes previews. Events of the generation have its URL as `preview.url`. There is none after the end. */
        get: operations["getPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Accepts requests in the format of OpenAI's API and forwards unlisted members to the provider. Holds the maximum cost of the chat and charges actual usage. Without `max_tokens`, output is limited by the available balance. The chat continues if the client disconnects: repeat the request with the same `Idempotency-Key` within a day to get the same completion. A provider failure costs nothing and frees the key. Without a key, an SDK retry (`X-Stainless-Retry-Count` from 1 to 100) returns the result of the original request if its client disconnected within the last ten minutes. */
        post: operations["completeChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns your uploads and outputs that have not expired, newest first. Use a cursor only with the same filter. */
        get: operations["listFiles"];
        put?: never;
        /** @description Uploads a file for use as an input. Refer to it by its `url`, or by `sha256:` and its hash. The type is detected from the content: PNG, JPEG, WebP, GIF, AVIF, MP4, WebM, MP3, WAV, Ogg, FLAC, PDF, safetensors, JSON and plain text in UTF-8. */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Returns the request that sends a file of up to 5 GiB straight to the hub's bucket: one `PUT` to `url` with these headers, before `expires_at`. The size counts toward your quota at once, and no longer if the upload expires without being completed. A hub without a bucket responds with 404; use `POST /api/v1/hub/files` there. */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/uploads/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Creates a file from the uploaded content, after checking its size and hash and detecting its type. Possible until one hour after `expires_at`; repeating the request returns the same file. Content of the wrong size or hash or of an unsupported type is rejected and removed; until `expires_at` you can send the right content, and the size stays reserved. */
        post: operations["completeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the content of a file to its owner's API key or console session, or to a signed link. Supports `Range`, `If-Range` and `If-None-Match`. With `w`, returns a thumbnail of an image instead, as WebP. */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /** @description Deletes the content before it expires. Returns 409 `file_in_use` if an unsettled generation or a character uses the file. */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/files/{id}/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns which model made a file, and whether the file says so itself. Works also after the file has expired or was deleted. */
        get: operations["getFileProvenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/files/identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Returns the provenance of your files whose content is the request body, byte for byte, or has the hash `sha256`: the newest 20. An empty list means that your account has had no such file; files of other accounts are never found. Send the hash instead of the content of files above 50 MiB. */
        post: operations["identifyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/characters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns your characters, newest first. The status of a character is that of its newest training. */
        get: operations["listCharacters"];
        put?: never;
        /** @description Creates a draft. Training and the hold on your balance begin when you start it. */
        post: operations["createCharacter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/characters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the character with the status, cost and progress of its training. */
        get: operations["getCharacter"];
        put?: never;
        post?: never;
        /** @description Deletes the character. Its trained weights remain as ordinary outputs, which expire. Returns 409 `invalid_state` while a training is running. */
        delete: operations["deleteCharacter"];
        options?: never;
        head?: never;
        /** @description Replaces each field that you send. Returns 409 `invalid_state` while a training is running. A change after a training applies to the next one, which then starts from the beginning. */
        patch: operations["updateCharacter"];
        trace?: never;
    };
    "/api/v1/hub/characters/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Starts the training of a draft as a generation of the base model and holds the estimate. Images named by hash may be uploaded later; until then the status is `awaiting_supply`. Returns 409 `invalid_state` unless the character is a draft. */
        post: operations["startCharacter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/characters/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Resumes a failed or canceled training from its last checkpoint, as a new generation priced for the remaining work. Checks the files of a training that is `awaiting_supply` again; one that the last upload has just queued is returned unchanged. Returns 409 `invalid_state` in any other state. */
        post: operations["resumeCharacter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/characters/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Cancels the training and returns its generation. Bills the GPU time used, up to the estimate. Canceling again returns the same generation; any other state returns 409 `invalid_state`. */
        post: operations["cancelCharacter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns your webhooks without their secrets, each with its latest failed delivery. */
        get: operations["listWebhooks"];
        put?: never;
        /** @description Registers a URL, which must use https and be reachable on the public internet. Returns the secret that signs every delivery; it is shown only once. An account can have five active webhooks. Events of payments need the API key of somebody who may see the account's payments, such as an owner. */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** @description Stops all deliveries to the webhook and cancels pending ones. */
        delete: operations["revokeWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Returns a new secret, which is shown only once. For 24 hours, deliveries are also signed with the old secret. */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the secret that signs the deliveries of generations' own webhooks (`webhook` of a new generation). The account's first use of it creates it. */
        get: operations["getSigningSecret"];
        put?: never;
        /** @description Returns a new secret. For 24 hours, deliveries are also signed with the old secret. */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Sends a `webhook.test` event with an example generation, signed like any other. It is not retried. */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the deliveries of the last 30 days, newest event first, with a log of their attempts. */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Sends the delivery again immediately, with the same id and body, and restarts its retry schedule. */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Returns the envelopes that webhooks receive, oldest first, for programs without a public address. Events are kept for 30 days, starting with your first webhook or first call of this operation. Events of generations alone are listed, unless `types` names others. Events of payments and of the balance need the API key of somebody who may see the account's payments, such as an owner. */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Sends all changes of your generations as they happen, for programs without a public address. `event: webhook` has the envelope that webhooks receive, unless `webhooks=false`. `event: generation` has a whole generation as its data, with `queue_position` while it waits at the provider, `stored_outputs` and `preview` while it runs. Every event has an `id`: send the last one as `Last-Event-ID` to continue after it, without a lost or repeated change of status. Comments keep the connection open. */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            client_id: number;
            /** Format: email */
            email: string;
            membership: boolean;
            /** @description Credit in EUR */
            balance: string;
            /** @description The balance less the estimates of all unsettled generations */
            available: string;
            currency: components["schemas"]["Currency"];
            key: components["schemas"]["AccountKey"];
        };
        /** @description The key that authenticated this request */
        AccountKey: {
            name: string;
            prefix: string;
        };
        Alert: {
            account: components["schemas"]["AlertAccount"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            at: string;
            /** @description EUR, of `balance.…` */
            balance?: string;
            /** @description Available balance in EUR: the balance without what running generations reserve */
            available?: string;
            /** @description EUR below which the balance is low; of `budget.…` 50, 80 or 100 percent */
            threshold?: string;
            key?: components["schemas"]["AlertKey"];
            /** @description EUR */
            spend_limit?: string;
            /** @description EUR, with what running generations reserve */
            spent?: string;
            budget?: components["schemas"]["AlertBudget"];
            /** @description EUR, of the budget */
            amount?: string;
            /** @description Who spent it, of a budget for each end user */
            end_user?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            resets_at?: string | null;
            webhook?: components["schemas"]["AlertWebhook"];
            /** @description HTTP status of the last response, if there was one */
            status?: number | null;
            /** @description Why there was no response */
            error?: string | null;
        };
        /** @description Contact address and name of the account */
        AlertAccount: {
            /** Format: email */
            email: string;
            name: string | null;
        };
        /** @description Of `budget.…` */
        AlertBudget: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        AlertEnvelope: {
            /** Format: uuid */
            id: string;
            event: components["schemas"]["AlertEventName"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            data: components["schemas"]["Alert"];
        };
        /** @enum {string} */
        AlertEventName: "balance.low" | "balance.exhausted" | "key.limit_reached" | "budget.threshold" | "webhook.failing";
        /** @description Of `key.…` */
        AlertKey: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description Of `webhook.…` */
        AlertWebhook: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
        };
        Attempt: {
            /** Format: uuid */
            id: string;
            /** @description Null if the operator hides it */
            route: string | null;
            /** @description Null if the operator hides it */
            provider: string | null;
            /** @description Why the route was tried: the model's routing; `measuring` for one whose speed is not known; `sticky` for the one that served the conversation before; `bought_again` after a response was lost elsewhere. Null if it was skipped or is a worker's, and if the operator hides it */
            reason: components["schemas"]["RouteReason"] | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            ended_at: string | null;
            /** @description Milliseconds until the first token; only of a streamed chat that had one */
            first_token_ms?: number;
            outcome: components["schemas"]["AttemptOutcome"] | null;
            skipped?: components["schemas"]["SkipReason"];
            /** @description HTTP status of the provider's response */
            upstream_status: number | null;
            /** @description Cost reported by the provider, in EUR; null if it is unknown or the operator hides it */
            cost: string | null;
            /**
             * Format: date-time
             * @description When the provider reported on an attempt that was `lost` by then; the result was not delivered
             */
            late_report_at?: string;
        };
        AttemptList: {
            data: components["schemas"]["Attempt"][];
        };
        /**
         * @description `refused`: the provider did not begin the work; `lost`: it is unknown whether it did; `skipped`: the route was not tried
         * @enum {string}
         */
        AttemptOutcome: "succeeded" | "failed" | "refused" | "canceled" | "lost" | "skipped";
        Batch: {
            /**
             * Format: uuid
             * @description The `batch_id` of its generations
             */
            id: string;
            /** @description Id of a model from the model list */
            model: string;
            status: components["schemas"]["BatchStatus"];
            counts: components["schemas"]["BatchCounts"];
            /** @description Maximum cost of all its generations in EUR */
            estimated_cost: string;
            /** @description What its settled generations cost so far, in EUR */
            billed_cost: string;
            /** @description Estimates of its unfinished generations, which are reserved, in EUR */
            reserved_cost: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the last generation ended; null until then
             */
            completed_at: string | null;
        };
        /** @description How many generations have each status */
        BatchCounts: {
            awaiting_supply: number;
            queued: number;
            running: number;
            succeeded: number;
            failed: number;
            canceled: number;
        };
        BatchEnvelope: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            event: "batch.completed";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            data: components["schemas"]["Batch"];
        };
        /** @enum {string} */
        BatchEventName: "generation.running" | "generation.completed" | "batch.completed";
        BatchPage: {
            /** @description Newest first */
            data: components["schemas"]["Batch"][];
            /** @description Null on the last page */
            next_cursor: string | null;
        };
        BatchRequest: {
            /** @description Id of a model from the model list */
            model: string;
            /** @description The input of each generation */
            inputs: components["schemas"]["ModelInput"][];
            /** @description Rejects the batch if its estimate is higher, in EUR */
            max_cost?: number;
            webhook?: components["schemas"]["BatchWebhook"];
            priority?: components["schemas"]["Priority"];
            /**
             * @description `none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest
             * @enum {string}
             */
            retention?: "none";
            /** @description Your own pairs, by which lists can be filtered: up to 16, all texts */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own id of the person for whom this is made */
            end_user?: string;
        };
        /**
         * @description `completed`: all generations have ended. `canceled`: those that had not started were canceled
         * @enum {string}
         */
        BatchStatus: "running" | "completed" | "canceled";
        BatchWebhook: {
            /** @description Must use https and be on the public internet */
            url: string;
            /** @description Events that it receives, also those of each generation; `batch.completed` by default */
            events?: components["schemas"]["BatchEventName"][];
        };
        CancelRequest: {
            /** @description Whether to stop a generation that runs at a provider. It may have cost something by then, at most the estimate. */
            stop_running?: boolean;
        };
        Character: {
            /** Format: int32 */
            id: number;
            name: string;
            status: components["schemas"]["CharacterStatus"];
            /** @description Id of a model from the model list */
            base_model: string;
            trigger_word: string | null;
            images: string[];
            parameters: components["schemas"]["ModelInput"] & unknown;
            /** @description Estimate of the newest training; for a draft, what starting it would hold, or null if its model is unavailable */
            estimated_cost: string | null;
            /** @description Cost of all trainings in EUR; null until one is billed */
            billed_cost: string | null;
            currency: components["schemas"]["Currency"];
            /** @description Never decreases; 1 only once succeeded; null if unknown */
            progress: number | null;
            /** @description Content still to be uploaded while `awaiting_supply`, or content that was missing when it ended; otherwise empty */
            missing: components["schemas"]["MissingContent"][];
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: uuid
             * @description Generation of the newest training
             */
            generation_id: string | null;
            /** @description Model that accepts the id of this character as `input.character`; null until it is ready */
            model: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            updated_at: string;
        };
        CharacterChanges: {
            name?: string;
            /** @description Id of a model that workers serve; it trains the character */
            base_model?: string;
            /** @description Trigger word for prompts */
            trigger_word?: string | null;
            /** @description Pictures of the subject: http(s) URLs, URLs of your files, or `sha256:<hash>` */
            images?: string[];
            /** @description Other parameters of the base model */
            parameters?: {
                [key: string]: unknown;
            };
        };
        CharacterPage: {
            /** @description Newest first */
            data: components["schemas"]["Character"][];
            /** @description Null on the last page */
            next_cursor: string | null;
        };
        CharacterRequest: {
            name: string;
            /** @description Id of a model that workers serve; it trains the character */
            base_model: string;
            /**
             * @description Trigger word for prompts
             * @default null
             */
            trigger_word: string | null;
            /** @description Pictures of the subject: http(s) URLs, URLs of your files, or `sha256:<hash>` */
            images: string[];
            /**
             * @description Other parameters of the base model
             * @default {}
             */
            parameters: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        CharacterStatus: "draft" | "awaiting_supply" | "queued" | "running" | "ready" | "failed" | "canceled";
        /** @description Content of an `input_audio` part, for models with `audio` in `input_modalities` */
        ChatAudio: {
            /** @description Base64. Or a public URL, the URL of one of your files, or `sha256:…` */
            data?: string;
            /** @description Or the id of one of your files */
            file_id?: string;
            format?: string;
        } & {
            [key: string]: unknown;
        };
        ChatChoice: {
            index: number;
            message: components["schemas"]["ChatReply"];
            finish_reason: string;
        } & {
            [key: string]: unknown;
        };
        ChatCompletion: {
            /**
             * Format: uuid
             * @description Id of the generation that records this chat
             */
            id: string;
            /** @enum {string} */
            object: "chat.completion";
            /** @description Unix seconds */
            created: number;
            model: string;
            choices: components["schemas"]["ChatChoice"][];
            usage: components["schemas"]["ChatUsage"];
        } & {
            [key: string]: unknown;
        };
        ChatContentPart: {
            /** @description `text`, `image_url`, `file`, `input_audio`, or another type that the model accepts */
            type: string;
            /** @description Content of a `text` part */
            text?: string;
            image_url?: components["schemas"]["ChatImageUrl"];
            file?: components["schemas"]["ChatFile"];
            input_audio?: components["schemas"]["ChatAudio"];
        } & {
            [key: string]: unknown;
        };
        /** @description Content of a `file` part; a PDF is for models with `file` in `input_modalities` */
        ChatFile: {
            /** @description Base64 or a `data:` URL of a PDF, or of text in UTF-8 */
            file_data?: string;
            /** @description Or a public URL, the URL of one of your files, or `sha256:…` */
            file_url?: string;
            /** @description Or the id of one of your files */
            file_id?: string;
            filename?: string;
        } & {
            [key: string]: unknown;
        };
        ChatFunctionCall: {
            name: string;
            /** @description JSON */
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Content of an `image_url` part, for models that support vision */
        ChatImageUrl: {
            /** @description An http(s) or `data:` URL, the URL of one of your files, or `sha256:…` */
            url?: string;
            /** @description Or the id of one of your files */
            file_id?: string;
            detail?: string;
        } & {
            [key: string]: unknown;
        };
        ChatMessage: {
            /** @description `system`, `user`, `assistant`, `tool`, … */
            role: string;
            /** @description Text or a list of parts */
            content?: string | components["schemas"]["ChatContentPart"][] | null;
            name?: string | null;
            /** @description Tool calls of an `assistant` message */
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
            /** @description Id of the tool call that a `tool` message answers */
            tool_call_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatReply: {
            role: string;
            content: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatRequest: {
            /** @description Id of a text model */
            model: string;
            messages: components["schemas"]["ChatMessage"][];
            /** @description Maximum number of output tokens; by default what the available balance covers */
            max_tokens?: number | null;
            /** @description Newer name of `max_tokens` */
            max_completion_tokens?: number | null;
            /**
             * @description Streaming is not supported
             * @enum {boolean}
             */
            stream?: false;
        } & {
            [key: string]: unknown;
        };
        ChatToolCall: {
            id: string;
            type: string;
            function?: components["schemas"]["ChatFunctionCall"];
        } & {
            [key: string]: unknown;
        };
        ChatUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
            /** @description Amount charged in EUR */
            cost: string;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        Currency: "EUR";
        Delivery: {
            /**
             * Format: uuid
             * @description Id in `X-Service-Delivery` and in the envelope
             */
            id: string;
            /**
             * Format: uuid
             * @description The webhook; for a generation's own webhook, an id of its host
             */
            webhook_id: string;
            event: components["schemas"]["SentEventName"];
            /**
             * Format: uuid
             * @description Null for a test and for an event that is not about a generation
             */
            generation_id: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            next_attempt_at: string | null;
            /** @description Oldest first */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            started_at: string;
            duration_ms: number;
            /** @description HTTP status of the response; null if there was none */
            status: number | null;
            /** @description Start of the response body */
            response: string | null;
            /** @description Why there was no response */
            error: string | null;
        };
        DeliveryPage: {
            /** @description Newest event first */
            data: components["schemas"]["Delivery"][];
            /** @description Null on the last page */
            next_cursor: string | null;
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "succeeded" | "failed" | "canceled";
        DirectUpload: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            method: "PUT";
            /**
             * Format: uri
             * @description Where to send the content, at the bucket
             */
            url: string;
            /** @description Headers to send with it */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            expires_at: string;
        };
        DirectUploadRequest: {
            /** @description Bytes of the content */
            size: number;
            /** @description SHA-256 hash of the content */
            sha256: string;
            /** @description File name, cleaned as that of a form */
            name?: string;
            /** @description Ignored: the type is read from the content */
            media_type?: string;
        };
        Envelope: {
            /** Format: uuid */
            id: string;
            event: components["schemas"]["GenerationEventName"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            data: components["schemas"]["Generation"];
        };
        /** @enum {string} */
        ErrorCode: "invalid_input" | "unauthorized" | "insufficient_credits" | "resource_not_found" | "model_not_found" | "generation_not_found" | "method_not_allowed" | "lease_lost" | "invalid_state" | "file_in_use" | "generation_not_cancelable" | "idempotency_conflict" | "quote_expired" | "file_expired" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "no_route_available" | "rate_limited" | "internal_error" | "generation_in_progress" | "provider_error" | "service_unavailable";
        Estimate: {
            /** @description Amount in EUR that a generation with this input would hold */
            estimated_cost: string;
            currency: components["schemas"]["Currency"];
            /** @description Holds the price; null for a text model */
            quote: components["schemas"]["Quote"] | null;
        };
        /** @enum {string} */
        EventName: "generation.running" | "generation.completed" | "batch.completed" | "payment.succeeded" | "payment.failed" | "payment.refunded" | "balance.low" | "balance.exhausted" | "key.limit_reached" | "budget.threshold" | "webhook.failing";
        /** @description The budget that does not cover the request */
        ExhaustedBudget: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description End of the current window; null if it never ends
             */
            resets_at: string | null;
        };
        Failure: {
            code: components["schemas"]["FailureCode"];
            message: string;
            /** @description Whether the same request may succeed later */
            retryable: boolean;
        };
        /** @enum {string} */
        FailureCode: "provider_error" | "provider_refused" | "content_refused" | "invalid_output" | "input_unavailable" | "timeout" | "supply_timeout" | "internal_error";
        Feed: {
            /** @description Oldest first; each id is that of the event */
            data: (components["schemas"]["Envelope"] | components["schemas"]["BatchEnvelope"] | components["schemas"]["PaymentEnvelope"] | components["schemas"]["AlertEnvelope"])[];
            /** @description Position to continue from; null while the account has no events */
            next_after: string | null;
            /** @description Whether more events are available now */
            has_more: boolean;
        };
        File: {
            /** Format: uuid */
            id: string;
            /** @description The file name that the upload's part had, cleaned and at most 200 characters; for an output, its model and number. Null if there is none */
            name: string | null;
            /**
             * Format: uri
             * @description URL of the content, also for use in inputs
             */
            url: string;
            sha256: string;
            /** @description Bytes */
            size: number;
            /** @description Type detected from the content, regardless of the file name */
            media_type: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            expires_at: string;
        };
        FileForm: {
            /**
             * Format: binary
             * @description The part must have a filename or a media type. Other parts are ignored
             */
            file: Blob;
        };
        /** @enum {string} */
        FileKind: "upload" | "output";
        FilePage: {
            /** @description Newest first */
            data: components["schemas"]["ListedFile"][];
            /** @description Null on the last page */
            next_cursor: string | null;
        };
        Generation: {
            /** Format: uuid */
            id: string;
            /** @description Id of a model from the model list */
            model: string;
            /** @description True for text models; remains after the content expires */
            is_llm: boolean;
            status: components["schemas"]["Status"];
            input: components["schemas"]["ModelInput"];
            /** @description Maximum cost in EUR; reserved until the generation is settled */
            estimated_cost: string;
            /** @description Cost in EUR; null until settled */
            billed_cost: string | null;
            currency: components["schemas"]["Currency"];
            outputs: components["schemas"]["Output"][];
            error: components["schemas"]["Failure"] | null;
            /** @description Content still to be uploaded while `awaiting_supply`, or content that was missing when it ended; otherwise empty */
            missing: components["schemas"]["MissingContent"][];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            completed_at: string | null;
            /** @description Kind of provider that serves the generation; `hub` if the operator hides it */
            provider: string;
            /** Format: uuid */
            batch_id: string | null;
            priority: components["schemas"]["Priority"];
            metadata: components["schemas"]["Metadata"];
            /** @description Your own id of the person for whom it was made */
            end_user: string | null;
            /** @description Never decreases; 1 only once succeeded; null if unknown */
            progress: number | null;
            /**
             * Format: date-time
             * @description When its content was erased; `input` and `metadata` are empty then, `end_user` is null and the message of an `error` is replaced
             */
            erased_at: string | null;
            /** @description Tokens that a text model was charged for; null until it is settled, absent unless `is_llm` */
            usage?: components["schemas"]["TokenUsage"] | null;
        };
        /** @enum {string} */
        GenerationEventName: "generation.running" | "generation.completed";
        GenerationPage: {
            /** @description Newest first */
            data: components["schemas"]["Generation"][];
            /** @description Null on the last page */
            next_cursor: string | null;
            /** @description Billed cost in EUR of all generations that match the filters, on every page */
            total_billed: string;
            /**
             * @description Present if more generations match `q`, `metadata`, `end_user`, `from` or `to` than the hub sums up; `total_billed` is then of the newest
             * @enum {boolean}
             */
            total_is_partial?: true;
        };
        GenerationRequest: {
            /** @description Id of a model from the model list */
            model: string;
            input: components["schemas"]["ModelInput"] & unknown;
            /**
             * Format: uuid
             * @description Your own id for a group of generations, to filter lists by
             */
            batch_id?: string;
            webhook?: components["schemas"]["OwnWebhook"];
            priority?: components["schemas"]["Priority"];
            /** @description Id of a quote of the same model and input: its price holds, whatever has happened to the catalogue since. No part of the idempotency fingerprint */
            quote?: string;
            /**
             * @description `none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest
             * @enum {string}
             */
            retention?: "none";
            /** @description Your own pairs, by which lists can be filtered: up to 16, all texts */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own id of the person for whom this is made */
            end_user?: string;
        };
        IdentifiedFiles: {
            sha256: string;
            /** @description Newest first */
            data: components["schemas"]["Provenance"][];
        };
        LastError: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            at: string;
            event: components["schemas"]["SentEventName"];
            /** Format: uuid */
            delivery_id: string;
            attempts: number;
            /** @description HTTP status of the last response; null if there was none */
            status: number | null;
            message: string;
        };
        ListedFile: {
            /** Format: uuid */
            id: string;
            /** @description The file name that the upload's part had, cleaned and at most 200 characters; for an output, its model and number. Null if there is none */
            name: string | null;
            /**
             * Format: uri
             * @description URL of the content, also for use in inputs
             */
            url: string;
            sha256: string;
            /** @description Bytes */
            size: number;
            /** @description Type detected from the content, regardless of the file name */
            media_type: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            expires_at: string;
            kind: components["schemas"]["FileKind"];
            /**
             * Format: uuid
             * @description Generation that produced the file; null for an upload
             */
            generation_id: string | null;
            /**
             * @description `xmp` if the file says in its XMP metadata that a model made it, otherwise why not; null for an upload, and for outputs of versions that marked none
             * @enum {string|null}
             */
            mark: "xmp" | "maker_c2pa" | "maker_xmp" | "unsupported_format" | "unreadable" | "model_exempt" | "disabled" | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
        };
        LongContextPrices: {
            above: number;
            /** @description EUR per million input tokens; null unless `is_llm` */
            input_cost_per_million: string | null;
            /** @description EUR per million cached input tokens; null unless `is_llm`, and where they cost as much as plain input */
            cached_input_cost_per_million: string | null;
            /** @description EUR per million tokens written to the cache; null unless `is_llm`, and where they cost as much as plain input */
            cache_write_cost_per_million: string | null;
            /** @description EUR per million tokens written to the long cache; null unless `is_llm`, and where they cost as much as plain input */
            cache_write_long_cost_per_million: string | null;
            /** @description EUR per million audio input tokens; null unless `is_llm`, and where they cost as much as plain input */
            audio_input_cost_per_million: string | null;
            /** @description EUR per million image input tokens; null unless `is_llm`, and where they cost as much as plain input */
            image_input_cost_per_million: string | null;
            /** @description EUR per million output tokens; null unless `is_llm` */
            output_cost_per_million: string | null;
            /** @description EUR per million reasoning tokens; null unless `is_llm`, and where they cost as much as plain output */
            reasoning_cost_per_million: string | null;
            /** @description EUR per million audio output tokens; null unless `is_llm`, and where they cost as much as plain output */
            audio_output_cost_per_million: string | null;
        };
        /** @description Your own pairs, and those of the API key */
        Metadata: {
            [key: string]: string;
        };
        MissingContent: {
            /** @description SHA-256 of the content in lowercase hex */
            sha256: string;
            /** @description Parameter that names the content */
            kind: string | null;
        };
        Model: {
            /** @description Id of a model from the model list */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @description When the hub first offered the model, in Unix seconds */
            created: number;
            /** @description The hub, regardless of the provider */
            owned_by: string;
            name: string;
            description: string | null;
            input_modalities: string[];
            output_modalities: string[];
            currency: components["schemas"]["Currency"];
            is_llm: boolean;
            /** @description JSON Schema of `input` */
            parameters_schema: {
                [key: string]: unknown;
            };
            /** @description Null for models priced by token or by GPU second */
            pricing_tiers: components["schemas"]["PricingTier"][] | null;
            unit?: components["schemas"]["PriceUnit"];
            /** @description EUR per million input tokens; null unless `is_llm` */
            input_cost_per_million: string | null;
            /** @description EUR per million cached input tokens; null unless `is_llm`, and where they cost as much as plain input */
            cached_input_cost_per_million: string | null;
            /** @description EUR per million tokens written to the cache; null unless `is_llm`, and where they cost as much as plain input */
            cache_write_cost_per_million: string | null;
            /** @description EUR per million tokens written to the long cache; null unless `is_llm`, and where they cost as much as plain input */
            cache_write_long_cost_per_million: string | null;
            /** @description EUR per million audio input tokens; null unless `is_llm`, and where they cost as much as plain input */
            audio_input_cost_per_million: string | null;
            /** @description EUR per million image input tokens; null unless `is_llm`, and where they cost as much as plain input */
            image_input_cost_per_million: string | null;
            /** @description EUR per million output tokens; null unless `is_llm` */
            output_cost_per_million: string | null;
            /** @description EUR per million reasoning tokens; null unless `is_llm`, and where they cost as much as plain output */
            reasoning_cost_per_million: string | null;
            /** @description EUR per million audio output tokens; null unless `is_llm`, and where they cost as much as plain output */
            audio_output_cost_per_million: string | null;
            /** @description Prices of whole requests with more than `above` input tokens, cached and written ones counted in; the last entry that applies counts. Null if there are none */
            long_context: components["schemas"]["LongContextPrices"][] | null;
            /** @description What prices are multiplied by, by the service tier that served the request; others cost the default price. Null if there are none */
            service_tiers: {
                [key: string]: number;
            } | null;
            /** @description Whether prompts are written to a cache without being marked; otherwise null */
            implicit_cache_writes: boolean | null;
            context_length: number | null;
            max_output_tokens: number | null;
            supports_vision: boolean;
            supports_tools: boolean;
            supports_structured_output: boolean;
            supports_reasoning: boolean;
            /** @description The median time of its latest 50 generations that succeeded, from their start to their end, updated every five minutes. Null without any, and for chats */
            typical_seconds: number | null;
            /** @description EUR per GPU second; only for models that run on workers */
            gpu_price_per_second?: string;
        };
        /** @description The input as stored */
        ModelInput: {
            [key: string]: unknown;
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        Output: {
            /** @description Position in `outputs` */
            index: number;
            media_type: string;
            /** Format: uri */
            url: string;
            /** @description Bytes */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            expires_at: string;
        };
        OwnWebhook: {
            /** @description Must use https and be on the public internet */
            url: string;
            /** @description Events that it receives; `generation.completed` by default */
            events?: components["schemas"]["GenerationEventName"][];
        };
        Payment: {
            /** Format: uuid */
            id: string;
            /** @description EUR credited, without tax */
            amount: string;
            /** @description EUR paid in addition */
            tax: string;
            /** @enum {string} */
            currency: "EUR";
            state: components["schemas"]["PaymentState"];
        };
        PaymentEnvelope: {
            /** Format: uuid */
            id: string;
            event: components["schemas"]["PaymentEventName"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            data: components["schemas"]["Payment"];
        };
        /** @enum {string} */
        PaymentEventName: "payment.succeeded" | "payment.failed" | "payment.refunded";
        /** @enum {string} */
        PaymentState: "pending" | "paid" | "failed" | "expired" | "partially_refunded" | "refunded" | "disputed";
        /**
         * @description What the prices of `pricing_tiers` are multiplied by; absent if they are for a generation. The hold is for what the input asks for, the charge for what was delivered
         * @enum {string}
         */
        PriceUnit: "image" | "second" | "megapixel" | "1k_characters" | "minute" | "1k_output_tokens";
        PricingRequest: {
            input: components["schemas"]["ModelInput"] & unknown;
        };
        PricingTier: {
            /** @description Parameter values to match; the first tier that matches sets the price. `present` and `absent` say whether a parameter is given */
            match: {
                [key: string]: unknown;
            };
            /** @description USD for a generation, or for each `unit` of the model */
            price_usd: string;
            /** @description USD for each further unit, or further megapixel of a picture, if it differs */
            next_price_usd?: string;
        };
        /**
         * @description Among the account's own generations: `high` goes first, `low` last
         * @enum {string}
         */
        Priority: "low" | "normal" | "high";
        Problem: {
            /**
             * Format: uri
             * @description Explanation of this code
             */
            type: string;
            title: string;
            /** Format: int32 */
            status: number;
            code: components["schemas"]["ErrorCode"];
            detail?: string | null;
            /** @description Path of the request */
            instance?: string;
            /** @description Messages by location */
            errors?: {
                [key: string]: string[];
            };
            /** @description JSON Pointers of inputs that no route supports */
            unrepresentable?: string[];
            /** @description Content that the generation is waiting for */
            missing?: components["schemas"]["MissingContent"][];
            /** @description Amount in EUR that the request requires */
            required?: string;
            /** @description Available balance in EUR */
            available?: string;
            /** @description Amount in EUR that the request would hold without its quote */
            estimated_cost?: string;
            /**
             * Format: uuid
             * @description Id of the batch that is still in progress
             */
            batch_id?: string;
            budget?: components["schemas"]["ExhaustedBudget"];
            /**
             * Format: uuid
             * @description Id of the generation that is still in progress
             */
            generation_id?: string;
        };
        Provenance: {
            /** Format: uuid */
            id: string;
            sha256: string;
            /** @description Type detected from the content, regardless of the file name */
            media_type: string;
            /** @description Bytes */
            size: number;
            kind: components["schemas"]["FileKind"];
            /**
             * Format: uuid
             * @description Generation that produced the file; null for an upload
             */
            generation_id: string | null;
            /** @description Model that made the file; null for an upload */
            model: string | null;
            /** @description Name of the generator, as in the mark; null for an upload */
            generator: string | null;
            /** @description IPTC's digital source type; null for an upload, and for a model whose outputs need no mark */
            digital_source_type: string | null;
            /**
             * @description `xmp` if the file says in its XMP metadata that a model made it, otherwise why not; null for an upload, and for outputs of versions that marked none
             * @enum {string|null}
             */
            mark: "xmp" | "maker_c2pa" | "maker_xmp" | "unsupported_format" | "unreadable" | "model_exempt" | "disabled" | null;
            /** @description The same in words */
            description: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /** @description Whether the content can be downloaded */
            available: boolean;
        };
        Quote: {
            /** @description What you send as `quote` */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            expires_at: string;
        };
        /**
         * @description Marks a request of the console's own scripts
         * @enum {string}
         */
        RequestedWith: "XMLHttpRequest";
        /** @enum {string} */
        RouteReason: "order" | "cheapest" | "fastest" | "balanced" | "measuring" | "sticky" | "bought_again";
        /** @enum {string} */
        SentEventName: "generation.running" | "generation.completed" | "batch.completed" | "payment.succeeded" | "payment.failed" | "payment.refunded" | "balance.low" | "balance.exhausted" | "key.limit_reached" | "budget.threshold" | "webhook.failing" | "webhook.test";
        SigningSecret: {
            /** @description Signs the deliveries of generations' own webhooks */
            secret: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when deliveries are also signed with the previous secret; null if they are not
             */
            previous_expires_at: string | null;
        };
        /**
         * @description Why the route was not tried; only if it was `skipped`
         * @enum {string}
         */
        SkipReason: "cannot_express" | "cooling_down" | "at_capacity" | "over_budget" | "missing_key";
        StartRequest: {
            /** @description Merged into the character's parameters and saved */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description Maximum estimate in EUR; a higher estimate is rejected */
            max_cost?: number;
            webhook?: components["schemas"]["OwnWebhook"];
            /** @description Id of a quote of the same model and input: its price holds, whatever has happened to the catalogue since. No part of the idempotency fingerprint */
            quote?: string;
            /**
             * @description `none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest
             * @enum {string}
             */
            retention?: "none";
            /** @description Your own pairs, by which lists can be filtered: up to 16, all texts */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own id of the person for whom this is made */
            end_user?: string;
        };
        /** @enum {string} */
        Status: "awaiting_supply" | "queued" | "running" | "succeeded" | "failed" | "canceled";
        TokenUsage: {
            /** @description All tokens of the prompt */
            input_tokens: number;
            /** @description Those of the prompt that came from a cache */
            cached_input_tokens: number;
            /** @description Those of the prompt that were written to a cache */
            cache_write_tokens: number;
            /** @description All tokens of the response */
            output_tokens: number;
            /** @description Those of the response that were reasoning */
            reasoning_tokens: number;
        };
        UsagePage: {
            data: components["schemas"]["UsageRow"][];
            total: components["schemas"]["UsageTotal"];
            /** @description Null on the last page */
            next_cursor: string | null;
        };
        /** @description One combination of the groups that were asked for, and what it has; `metadata.KEY` is a member of that name */
        UsageRow: {
            /** @description Its beginning */
            hour?: string;
            /** @description In UTC */
            day?: string;
            /** @description In UTC */
            month?: string;
            /** @description Id of a model */
            model?: string;
            /**
             * Format: uuid
             * @description Id of an API key; null for none
             */
            key?: string | null;
            /** @description Null for none, `(other)` for those beyond 10,000 a day */
            end_user?: string | null;
            /** @description Settled ones: succeeded, failed or canceled */
            generations: number;
            failed: number;
            /** @description Of chats, cached ones included */
            input_tokens: number;
            cached_input_tokens: number;
            output_tokens: number;
            /** @description Charges in EUR */
            billed: string;
        } & {
            [key: string]: string | null;
        };
        /** @description Of all pages */
        UsageTotal: {
            /** @description Settled ones: succeeded, failed or canceled */
            generations: number;
            failed: number;
            /** @description Of chats, cached ones included */
            input_tokens: number;
            cached_input_tokens: number;
            output_tokens: number;
            /** @description Charges in EUR */
            billed: string;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["EventName"][];
            status: components["schemas"]["WebhookStatus"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /** @description Latest delivery that failed after all its attempts */
            last_error: components["schemas"]["LastError"] | null;
        };
        WebhookList: {
            /** @description Active webhooks first, then newest first */
            data: components["schemas"]["Webhook"][];
        };
        WebhookRequest: {
            /** @description Must use https and be on the public internet */
            url: string;
            events: components["schemas"]["EventName"][];
        };
        /** @enum {string} */
        WebhookStatus: "active" | "revoked";
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["EventName"][];
            status: components["schemas"]["WebhookStatus"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds
             */
            created_at: string;
            /** @description Latest delivery that failed after all its attempts */
            last_error: components["schemas"]["LastError"] | null;
            /** @description Signs deliveries; shown only once */
            secret: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Settled at this time or later: a day in UTC or a time in ISO 8601. By default 30 days ago */
                from?: string;
                /** @description Settled before this time. By default the end of today in UTC */
                to?: string;
                /** @description One or two of month, day, hour, model, key, end_user, metadata.KEY, separated by a comma */
                group_by?: string;
                /** @description `csv` returns all rows as CSV, as does `Accept: text/csv` */
                format?: "json" | "csv";
                limit?: number;
                /** @description `next_cursor` of the previous page with the same parameters; CSV has no pages */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage by its groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsagePage"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a model from the model list */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
        };
    };
    priceInput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a model from the model list */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PricingRequest"];
            };
        };
        responses: {
            /** @description The estimate */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
        };
    };
    listGenerations: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters */
                cursor?: string;
                /** @description Excludes text generations, also from `total_billed` */
                exclude_llm?: boolean;
                status?: components["schemas"]["Status"];
                /** @description Only generations of this model */
                model?: string;
                /** @description Only generations of this batch */
                batch_id?: string;
                /** @description Words of the input, in any order and case; the last may be the beginning of a word. Or the id of a generation or a batch */
                q?: string;
                /** @description Only generations created at this time or later; a date means its beginning in UTC */
                from?: string;
                /** @description Only generations created before this time; a date includes its whole day in UTC */
                to?: string;
                /** @description Only generations of models that make this; a model that is no longer offered has no kind */
                kind?: "image" | "video" | "audio" | "text" | "training";
                /** @description Only generations of the API key with this id */
                key?: string;
                /** @description Only generations that have all of these pairs, up to 3: `metadata.KEY=VALUE` or `metadata[KEY]=VALUE` */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only generations of this end user */
                end_user?: string;
            };
            header?: {
                /** @description ETag of an earlier response, to get 304 while nothing has changed */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of generations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationPage"];
                };
            };
        };
    };
    createGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. Required by some API keys. */
                "Idempotency-Key"?: string;
                /** @description Metadata of the generation, beside that of the body */
                "X-Hub-Metadata"?: string;
                /** @description The end user, if the body names none. Required by some API keys. */
                "X-Hub-End-User"?: string;
                /** @description `wait=30` waits up to 30 seconds for the final generation, `wait` up to 60; anything else is ignored */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerationRequest"];
            };
        };
        responses: {
            /** @description The final generation: of a request that waited for it, or with the same idempotency key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Generation accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
        };
    };
    getGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response, to get 304 while nothing has changed */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of a generation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The generation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
        };
    };
    eraseGeneration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a generation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Erased */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelGeneration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a generation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description The canceled generation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
        };
    };
    listAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a generation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptList"];
                };
            };
        };
    };
    listBatches: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of batches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPage"];
                };
            };
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. Required by some API keys. */
                "Idempotency-Key"?: string;
                /** @description Metadata of the generation, beside that of the body */
                "X-Hub-Metadata"?: string;
                /** @description The end user, if the body names none. Required by some API keys. */
                "X-Hub-End-User"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description The completed batch with the same idempotency key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description Batch accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response, to get 304 while nothing has changed */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of a batch */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a batch */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled batch */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    streamGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event that you received, to continue after it */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Id of a generation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the generation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description You have already received the final event */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPreview: {
        parameters: {
            query?: {
                /** @description Makes the URL of each preview differ; the newest one is returned */
                n?: string;
            };
            header?: never;
            path: {
                /** @description Id of a generation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture, as WebP */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": Blob;
                    "application/octet-stream": Blob;
                };
            };
        };
    };
    completeChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. Required by some API keys. */
                "Idempotency-Key"?: string;
                /** @description Metadata of the generation, beside that of the body */
                "X-Hub-Metadata"?: string;
                /** @description The end user, if the body names none. Required by some API keys. */
                "X-Hub-End-User"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description The completion */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filter */
                cursor?: string;
                /** @description Only files of this kind */
                kind?: "upload" | "output";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of files */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePage"];
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
            };
        };
        responses: {
            /** @description The stored file */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DirectUploadRequest"];
            };
        };
        responses: {
            /** @description The upload */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectUpload"];
                };
            };
        };
    };
    completeUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an upload */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored file */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: {
                /** @description Expiry of a signed link, in Unix seconds */
                expires?: string;
                /** @description Signature of a signed link */
                signature?: string;
                /** @description Maximum width of a thumbnail, in pixels */
                w?: "128" | "512";
            };
            header?: {
                Range?: string;
                "If-Range"?: string;
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of a file */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                    "application/octet-stream": Blob;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                    "application/octet-stream": Blob;
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a file */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getFileProvenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a file */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provenance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Provenance"];
                };
            };
        };
    };
    identifyFile: {
        parameters: {
            query?: {
                /** @description SHA-256 hash of the content, instead of a body */
                sha256?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            /** @description Your files with this content */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentifiedFiles"];
                };
            };
        };
    };
    listCharacters: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of characters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CharacterPage"];
                };
            };
        };
    };
    createCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CharacterRequest"];
            };
        };
        responses: {
            /** @description The created draft */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Character"];
                };
            };
        };
    };
    getCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a character */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The character */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Character"];
                };
            };
        };
    };
    deleteCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a character */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a character */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CharacterChanges"];
            };
        };
        responses: {
            /** @description The updated character */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Character"];
                };
            };
        };
    };
    startCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a character */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartRequest"];
            };
        };
        responses: {
            /** @description Training accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Character"];
                };
            };
        };
    };
    resumeCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a character */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Training accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Character"];
                };
            };
        };
    };
    cancelCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a character */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled generation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The created webhook */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    revokeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getSigningSecret: {
        parameters: {
            query?: never;
            header: {
                /** @description Marks a request of the console's own scripts */
                "X-Requested-With": components["schemas"]["RequestedWith"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signing secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header: {
                /** @description Marks a request of the console's own scripts */
                "X-Requested-With": components["schemas"]["RequestedWith"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new signing secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `next_after` of the previous response. Omit it to start with the oldest event; use `latest` to start now, which returns no events */
                after?: string;
                limit?: number;
                /** @description Only these events, separated by commas: generation.running, generation.completed, batch.completed, payment.succeeded, payment.failed, payment.refunded, balance.low, balance.exhausted, key.limit_reached, budget.threshold, webhook.failing. By default generation.running, generation.completed */
                types?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events after the given position */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Whether to send the envelopes of webhooks, and the generations of chats, which come with them */
                webhooks?: boolean;
            };
            header?: {
                /** @description The id of the last event that you received, to continue after it */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
}
