"""Generated from the hub's OpenAPI document by `npm run clients`. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union

class Account(TypedDict):
    client_id: int
    email: str
    membership: bool
    balance: str
    """Credit in EUR"""
    available: str
    """The balance less the estimates of all unsettled generations"""
    currency: "Currency"
    key: "AccountKey"

class AccountKey(TypedDict):
    """The key that authenticated this request"""

    name: str
    prefix: str

class Alert(TypedDict):
    account: "AlertAccount"
    at: str
    """ISO 8601 in UTC, with milliseconds"""
    balance: NotRequired[str]
    """EUR, of `balance.…`"""
    available: NotRequired[str]
    """Available balance in EUR: the balance without what running generations reserve"""
    threshold: NotRequired[str]
    """EUR below which the balance is low; of `budget.…` 50, 80 or 100 percent"""
    key: NotRequired["AlertKey"]
    spend_limit: NotRequired[str]
    """EUR"""
    spent: NotRequired[str]
    """EUR, with what running generations reserve"""
    budget: NotRequired["AlertBudget"]
    amount: NotRequired[str]
    """EUR, of the budget"""
    end_user: NotRequired[Optional[str]]
    """Who spent it, of a budget for each end user"""
    resets_at: NotRequired[Optional[str]]
    """ISO 8601 in UTC, with milliseconds"""
    webhook: NotRequired["AlertWebhook"]
    status: NotRequired[Optional[int]]
    """HTTP status of the last response, if there was one"""
    error: NotRequired[Optional[str]]
    """Why there was no response"""

class AlertAccount(TypedDict):
    """Contact address and name of the account"""

    email: str
    name: Optional[str]

class AlertBudget(TypedDict):
    """Of `budget.…`"""

    id: str
    name: str

class AlertEnvelope(TypedDict):
    id: str
    event: "AlertEventName"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    data: "Alert"

AlertEventName = Literal["balance.low", "balance.exhausted", "key.limit_reached", "budget.threshold", "webhook.failing"]

class AlertKey(TypedDict):
    """Of `key.…`"""

    id: str
    name: str

class AlertWebhook(TypedDict):
    """Of `webhook.…`"""

    id: str
    url: str

class Attempt(TypedDict):
    id: str
    route: Optional[str]
    """Null if the operator hides it"""
    provider: Optional[str]
    """Null if the operator hides it"""
    reason: Optional["RouteReason"]
    """Why the route was tried: the model's routing; `measuring` for one whose speed is not known; `sticky` for the one that served the conversation before; `bought_again` after a response was lost elsewhere. Null if it was skipped or is a worker's, and if the operator hides it"""
    started_at: str
    """ISO 8601 in UTC, with milliseconds"""
    ended_at: Optional[str]
    """ISO 8601 in UTC, with milliseconds"""
    first_token_ms: NotRequired[int]
    """Milliseconds until the first token; only of a streamed chat that had one"""
    outcome: Optional["AttemptOutcome"]
    skipped: NotRequired["SkipReason"]
    upstream_status: Optional[int]
    """HTTP status of the provider's response"""
    cost: Optional[str]
    """Cost reported by the provider, in EUR; null if it is unknown or the operator hides it"""
    late_report_at: NotRequired[str]
    """When the provider reported on an attempt that was `lost` by then; the result was not delivered"""

class AttemptList(TypedDict):
    data: List["Attempt"]

AttemptOutcome = Literal["succeeded", "failed", "refused", "canceled", "lost", "skipped"]

class Batch(TypedDict):
    id: str
    """The `batch_id` of its generations"""
    model: str
    """Id of a model from the model list"""
    status: "BatchStatus"
    counts: "BatchCounts"
    estimated_cost: str
    """Maximum cost of all its generations in EUR"""
    billed_cost: str
    """What its settled generations cost so far, in EUR"""
    reserved_cost: str
    """Estimates of its unfinished generations, which are reserved, in EUR"""
    currency: "Currency"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    completed_at: Optional[str]
    """When the last generation ended; null until then"""

class BatchCounts(TypedDict):
    """How many generations have each status"""

    awaiting_supply: int
    queued: int
    running: int
    succeeded: int
    failed: int
    canceled: int

class BatchEnvelope(TypedDict):
    id: str
    event: Literal["batch.completed"]
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    data: "Batch"

BatchEventName = Literal["generation.running", "generation.completed", "batch.completed"]

class BatchPage(TypedDict):
    data: List["Batch"]
    """Newest first"""
    next_cursor: Optional[str]
    """Null on the last page"""

class BatchRequest(TypedDict):
    model: str
    """Id of a model from the model list"""
    inputs: List["ModelInput"]
    """The input of each generation"""
    max_cost: NotRequired[float]
    """Rejects the batch if its estimate is higher, in EUR"""
    webhook: NotRequired["BatchWebhook"]
    priority: NotRequired["Priority"]
    retention: NotRequired[Literal["none"]]
    """`none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest"""
    metadata: NotRequired[Dict[str, str]]
    """Your own pairs, by which lists can be filtered: up to 16, all texts"""
    end_user: NotRequired[str]
    """Your own id of the person for whom this is made"""

BatchStatus = Literal["running", "completed", "canceled"]

class BatchWebhook(TypedDict):
    url: str
    """Must use https and be on the public internet"""
    events: NotRequired[List["BatchEventName"]]
    """Events that it receives, also those of each generation; `batch.completed` by default"""

class CancelRequest(TypedDict):
    stop_running: NotRequired[bool]
    """Whether to stop a generation that runs at a provider. It may have cost something by then, at most the estimate."""

class Character(TypedDict):
    id: int
    name: str
    status: "CharacterStatus"
    base_model: str
    """Id of a model from the model list"""
    trigger_word: Optional[str]
    images: List[str]
    parameters: Any
    estimated_cost: Optional[str]
    """Estimate of the newest training; for a draft, what starting it would hold, or null if its model is unavailable"""
    billed_cost: Optional[str]
    """Cost of all trainings in EUR; null until one is billed"""
    currency: "Currency"
    progress: Optional[float]
    """Never decreases; 1 only once succeeded; null if unknown"""
    missing: List["MissingContent"]
    """Content still to be uploaded while `awaiting_supply`, or content that was missing when it ended; otherwise empty"""
    error: Optional["Failure"]
    generation_id: Optional[str]
    """Generation of the newest training"""
    model: Optional[str]
    """Model that accepts the id of this character as `input.character`; null until it is ready"""
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    updated_at: str
    """ISO 8601 in UTC, with milliseconds"""

class CharacterChanges(TypedDict):
    name: NotRequired[str]
    base_model: NotRequired[str]
    """Id of a model that workers serve; it trains the character"""
    trigger_word: NotRequired[Optional[str]]
    """Trigger word for prompts"""
    images: NotRequired[List[str]]
    """Pictures of the subject: http(s) URLs, URLs of your files, or `sha256:<hash>`"""
    parameters: NotRequired[Dict[str, Any]]
    """Other parameters of the base model"""

class CharacterPage(TypedDict):
    data: List["Character"]
    """Newest first"""
    next_cursor: Optional[str]
    """Null on the last page"""

class CharacterRequest(TypedDict):
    name: str
    base_model: str
    """Id of a model that workers serve; it trains the character"""
    trigger_word: NotRequired[Optional[str]]
    """Trigger word for prompts"""
    images: List[str]
    """Pictures of the subject: http(s) URLs, URLs of your files, or `sha256:<hash>`"""
    parameters: NotRequired[Dict[str, Any]]
    """Other parameters of the base model"""

CharacterStatus = Literal["draft", "awaiting_supply", "queued", "running", "ready", "failed", "canceled"]

class ChatAudio(TypedDict):
    """Content of an `input_audio` part, for models with `audio` in `input_modalities`"""

    data: NotRequired[str]
    """Base64. Or a public URL, the URL of one of your files, or `sha256:…`"""
    file_id: NotRequired[str]
    """Or the id of one of your files"""
    format: NotRequired[str]

class ChatChoice(TypedDict):
    index: int
    message: "ChatReply"
    finish_reason: str

class ChatCompletion(TypedDict):
    id: str
    """Id of the generation that records this chat"""
    object: Literal["chat.completion"]
    created: int
    """Unix seconds"""
    model: str
    choices: List["ChatChoice"]
    usage: "ChatUsage"

class ChatContentPart(TypedDict):
    type: str
    """`text`, `image_url`, `file`, `input_audio`, or another type that the model accepts"""
    text: NotRequired[str]
    """Content of a `text` part"""
    image_url: NotRequired["ChatImageUrl"]
    file: NotRequired["ChatFile"]
    input_audio: NotRequired["ChatAudio"]

class ChatFile(TypedDict):
    """Content of a `file` part; a PDF is for models with `file` in `input_modalities`"""

    file_data: NotRequired[str]
    """Base64 or a `data:` URL of a PDF, or of text in UTF-8"""
    file_url: NotRequired[str]
    """Or a public URL, the URL of one of your files, or `sha256:…`"""
    file_id: NotRequired[str]
    """Or the id of one of your files"""
    filename: NotRequired[str]

class ChatFunctionCall(TypedDict):
    name: str
    arguments: str
    """JSON"""

class ChatImageUrl(TypedDict):
    """Content of an `image_url` part, for models that support vision"""

    url: NotRequired[str]
    """An http(s) or `data:` URL, the URL of one of your files, or `sha256:…`"""
    file_id: NotRequired[str]
    """Or the id of one of your files"""
    detail: NotRequired[str]

class ChatMessage(TypedDict):
    role: str
    """`system`, `user`, `assistant`, `tool`, …"""
    content: NotRequired[Optional[Union[str, List["ChatContentPart"]]]]
    """Text or a list of parts"""
    name: NotRequired[Optional[str]]
    tool_calls: NotRequired[Optional[List["ChatToolCall"]]]
    """Tool calls of an `assistant` message"""
    tool_call_id: NotRequired[Optional[str]]
    """Id of the tool call that a `tool` message answers"""

class ChatReply(TypedDict):
    role: str
    content: Optional[str]

class ChatRequest(TypedDict):
    model: str
    """Id of a text model"""
    messages: List["ChatMessage"]
    max_tokens: NotRequired[Optional[int]]
    """Maximum number of output tokens; by default what the available balance covers"""
    max_completion_tokens: NotRequired[Optional[int]]
    """Newer name of `max_tokens`"""
    stream: NotRequired[Literal[False]]
    """Streaming is not supported"""

class ChatToolCall(TypedDict):
    id: str
    type: str
    function: NotRequired["ChatFunctionCall"]

class ChatUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cost: str
    """Amount charged in EUR"""

Currency = Literal["EUR"]

class Delivery(TypedDict):
    id: str
    """Id in `X-Service-Delivery` and in the envelope"""
    webhook_id: str
    """The webhook; for a generation's own webhook, an id of its host"""
    event: "SentEventName"
    generation_id: Optional[str]
    """Null for a test and for an event that is not about a generation"""
    status: "DeliveryStatus"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    next_attempt_at: Optional[str]
    """ISO 8601 in UTC, with milliseconds"""
    attempts: List["DeliveryAttempt"]
    """Oldest first"""

class DeliveryAttempt(TypedDict):
    started_at: str
    """ISO 8601 in UTC, with milliseconds"""
    duration_ms: int
    status: Optional[int]
    """HTTP status of the response; null if there was none"""
    response: Optional[str]
    """Start of the response body"""
    error: Optional[str]
    """Why there was no response"""

class DeliveryPage(TypedDict):
    data: List["Delivery"]
    """Newest event first"""
    next_cursor: Optional[str]
    """Null on the last page"""

DeliveryStatus = Literal["pending", "succeeded", "failed", "canceled"]

class DirectUpload(TypedDict):
    id: str
    method: Literal["PUT"]
    url: str
    """Where to send the content, at the bucket"""
    headers: Dict[str, str]
    """Headers to send with it"""
    expires_at: str
    """ISO 8601 in UTC, with milliseconds"""

class DirectUploadRequest(TypedDict):
    size: int
    """Bytes of the content"""
    sha256: str
    """SHA-256 hash of the content"""
    name: NotRequired[str]
    """File name, cleaned as that of a form"""
    media_type: NotRequired[str]
    """Ignored: the type is read from the content"""

class Envelope(TypedDict):
    id: str
    event: "GenerationEventName"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    data: "Generation"

ErrorCode = Literal["invalid_input", "unauthorized", "insufficient_credits", "resource_not_found", "model_not_found", "generation_not_found", "method_not_allowed", "lease_lost", "invalid_state", "file_in_use", "generation_not_cancelable", "idempotency_conflict", "quote_expired", "file_expired", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "no_route_available", "rate_limited", "internal_error", "generation_in_progress", "provider_error", "service_unavailable"]

class Estimate(TypedDict):
    estimated_cost: str
    """Amount in EUR that a generation with this input would hold"""
    currency: "Currency"
    quote: Optional["Quote"]
    """Holds the price; null for a text model"""

EventName = Literal["generation.running", "generation.completed", "batch.completed", "payment.succeeded", "payment.failed", "payment.refunded", "balance.low", "balance.exhausted", "key.limit_reached", "budget.threshold", "webhook.failing"]

class ExhaustedBudget(TypedDict):
    """The budget that does not cover the request"""

    id: str
    name: str
    resets_at: Optional[str]
    """End of the current window; null if it never ends"""

class Failure(TypedDict):
    code: "FailureCode"
    message: str
    retryable: bool
    """Whether the same request may succeed later"""

FailureCode = Literal["provider_error", "provider_refused", "content_refused", "invalid_output", "input_unavailable", "timeout", "supply_timeout", "internal_error"]

class Feed(TypedDict):
    data: List[Union["Envelope", "BatchEnvelope", "PaymentEnvelope", "AlertEnvelope"]]
    """Oldest first; each id is that of the event"""
    next_after: Optional[str]
    """Position to continue from; null while the account has no events"""
    has_more: bool
    """Whether more events are available now"""

class File(TypedDict):
    id: str
    name: Optional[str]
    """The file name that the upload's part had, cleaned and at most 200 characters; for an output, its model and number. Null if there is none"""
    url: str
    """URL of the content, also for use in inputs"""
    sha256: str
    size: int
    """Bytes"""
    media_type: str
    """Type detected from the content, regardless of the file name"""
    expires_at: str
    """ISO 8601 in UTC, with milliseconds"""

class FileForm(TypedDict):
    file: bytes
    """The part must have a filename or a media type. Other parts are ignored"""

FileKind = Literal["upload", "output"]

class FilePage(TypedDict):
    data: List["ListedFile"]
    """Newest first"""
    next_cursor: Optional[str]
    """Null on the last page"""

class Generation(TypedDict):
    id: str
    model: str
    """Id of a model from the model list"""
    is_llm: bool
    """True for text models; remains after the content expires"""
    status: "Status"
    input: "ModelInput"
    estimated_cost: str
    """Maximum cost in EUR; reserved until the generation is settled"""
    billed_cost: Optional[str]
    """Cost in EUR; null until settled"""
    currency: "Currency"
    outputs: List["Output"]
    error: Optional["Failure"]
    missing: List["MissingContent"]
    """Content still to be uploaded while `awaiting_supply`, or content that was missing when it ended; otherwise empty"""
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    started_at: Optional[str]
    """ISO 8601 in UTC, with milliseconds"""
    completed_at: Optional[str]
    """ISO 8601 in UTC, with milliseconds"""
    provider: str
    """Kind of provider that serves the generation; `hub` if the operator hides it"""
    batch_id: Optional[str]
    priority: "Priority"
    metadata: "Metadata"
    end_user: Optional[str]
    """Your own id of the person for whom it was made"""
    progress: Optional[float]
    """Never decreases; 1 only once succeeded; null if unknown"""
    erased_at: Optional[str]
    """When its content was erased; `input` and `metadata` are empty then, `end_user` is null and the message of an `error` is replaced"""
    usage: NotRequired[Optional["TokenUsage"]]
    """Tokens that a text model was charged for; null until it is settled, absent unless `is_llm`"""

GenerationEventName = Literal["generation.running", "generation.completed"]

class GenerationPage(TypedDict):
    data: List["Generation"]
    """Newest first"""
    next_cursor: Optional[str]
    """Null on the last page"""
    total_billed: str
    """Billed cost in EUR of all generations that match the filters, on every page"""
    total_is_partial: NotRequired[Literal[True]]
    """Present if more generations match `q`, `metadata`, `end_user`, `from` or `to` than the hub sums up; `total_billed` is then of the newest"""

class GenerationRequest(TypedDict):
    model: str
    """Id of a model from the model list"""
    input: Any
    batch_id: NotRequired[str]
    """Your own id for a group of generations, to filter lists by"""
    webhook: NotRequired["OwnWebhook"]
    priority: NotRequired["Priority"]
    quote: NotRequired[str]
    """Id of a quote of the same model and input: its price holds, whatever has happened to the catalogue since. No part of the idempotency fingerprint"""
    retention: NotRequired[Literal["none"]]
    """`none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest"""
    metadata: NotRequired[Dict[str, str]]
    """Your own pairs, by which lists can be filtered: up to 16, all texts"""
    end_user: NotRequired[str]
    """Your own id of the person for whom this is made"""

class IdentifiedFiles(TypedDict):
    sha256: str
    data: List["Provenance"]
    """Newest first"""

class LastError(TypedDict):
    at: str
    """ISO 8601 in UTC, with milliseconds"""
    event: "SentEventName"
    delivery_id: str
    attempts: int
    status: Optional[int]
    """HTTP status of the last response; null if there was none"""
    message: str

class ListedFile(TypedDict):
    id: str
    name: Optional[str]
    """The file name that the upload's part had, cleaned and at most 200 characters; for an output, its model and number. Null if there is none"""
    url: str
    """URL of the content, also for use in inputs"""
    sha256: str
    size: int
    """Bytes"""
    media_type: str
    """Type detected from the content, regardless of the file name"""
    expires_at: str
    """ISO 8601 in UTC, with milliseconds"""
    kind: "FileKind"
    generation_id: Optional[str]
    """Generation that produced the file; null for an upload"""
    mark: Literal["xmp", "maker_c2pa", "maker_xmp", "unsupported_format", "unreadable", "model_exempt", "disabled", None]
    """`xmp` if the file says in its XMP metadata that a model made it, otherwise why not; null for an upload, and for outputs of versions that marked none"""
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""

class LongContextPrices(TypedDict):
    above: int
    input_cost_per_million: Optional[str]
    """EUR per million input tokens; null unless `is_llm`"""
    cached_input_cost_per_million: Optional[str]
    """EUR per million cached input tokens; null unless `is_llm`, and where they cost as much as plain input"""
    cache_write_cost_per_million: Optional[str]
    """EUR per million tokens written to the cache; null unless `is_llm`, and where they cost as much as plain input"""
    cache_write_long_cost_per_million: Optional[str]
    """EUR per million tokens written to the long cache; null unless `is_llm`, and where they cost as much as plain input"""
    audio_input_cost_per_million: Optional[str]
    """EUR per million audio input tokens; null unless `is_llm`, and where they cost as much as plain input"""
    image_input_cost_per_million: Optional[str]
    """EUR per million image input tokens; null unless `is_llm`, and where they cost as much as plain input"""
    output_cost_per_million: Optional[str]
    """EUR per million output tokens; null unless `is_llm`"""
    reasoning_cost_per_million: Optional[str]
    """EUR per million reasoning tokens; null unless `is_llm`, and where they cost as much as plain output"""
    audio_output_cost_per_million: Optional[str]
    """EUR per million audio output tokens; null unless `is_llm`, and where they cost as much as plain output"""

Metadata = Dict[str, str]

class MissingContent(TypedDict):
    sha256: str
    """SHA-256 of the content in lowercase hex"""
    kind: Optional[str]
    """Parameter that names the content"""

class Model(TypedDict):
    id: str
    """Id of a model from the model list"""
    object: Literal["model"]
    created: int
    """When the hub first offered the model, in Unix seconds"""
    owned_by: str
    """The hub, regardless of the provider"""
    name: str
    description: Optional[str]
    input_modalities: List[str]
    output_modalities: List[str]
    currency: "Currency"
    is_llm: bool
    parameters_schema: Dict[str, Any]
    """JSON Schema of `input`"""
    pricing_tiers: Optional[List["PricingTier"]]
    """Null for models priced by token or by GPU second"""
    unit: NotRequired["PriceUnit"]
    input_cost_per_million: Optional[str]
    """EUR per million input tokens; null unless `is_llm`"""
    cached_input_cost_per_million: Optional[str]
    """EUR per million cached input tokens; null unless `is_llm`, and where they cost as much as plain input"""
    cache_write_cost_per_million: Optional[str]
    """EUR per million tokens written to the cache; null unless `is_llm`, and where they cost as much as plain input"""
    cache_write_long_cost_per_million: Optional[str]
    """EUR per million tokens written to the long cache; null unless `is_llm`, and where they cost as much as plain input"""
    audio_input_cost_per_million: Optional[str]
    """EUR per million audio input tokens; null unless `is_llm`, and where they cost as much as plain input"""
    image_input_cost_per_million: Optional[str]
    """EUR per million image input tokens; null unless `is_llm`, and where they cost as much as plain input"""
    output_cost_per_million: Optional[str]
    """EUR per million output tokens; null unless `is_llm`"""
    reasoning_cost_per_million: Optional[str]
    """EUR per million reasoning tokens; null unless `is_llm`, and where they cost as much as plain output"""
    audio_output_cost_per_million: Optional[str]
    """EUR per million audio output tokens; null unless `is_llm`, and where they cost as much as plain output"""
    long_context: Optional[List["LongContextPrices"]]
    """Prices of whole requests with more than `above` input tokens, cached and written ones counted in; the last entry that applies counts. Null if there are none"""
    service_tiers: Optional[Dict[str, float]]
    """What prices are multiplied by, by the service tier that served the request; others cost the default price. Null if there are none"""
    implicit_cache_writes: Optional[bool]
    """Whether prompts are written to a cache without being marked; otherwise null"""
    context_length: Optional[int]
    max_output_tokens: Optional[int]
    supports_vision: bool
    supports_tools: bool
    supports_structured_output: bool
    supports_reasoning: bool
    typical_seconds: Optional[float]
    """The median time of its latest 50 generations that succeeded, from their start to their end, updated every five minutes. Null without any, and for chats"""
    gpu_price_per_second: NotRequired[str]
    """EUR per GPU second; only for models that run on workers"""

ModelInput = Dict[str, Any]

class ModelList(TypedDict):
    object: Literal["list"]
    data: List["Model"]

class Output(TypedDict):
    index: int
    """Position in `outputs`"""
    media_type: str
    url: str
    size: int
    """Bytes"""
    expires_at: str
    """ISO 8601 in UTC, with milliseconds"""

class OwnWebhook(TypedDict):
    url: str
    """Must use https and be on the public internet"""
    events: NotRequired[List["GenerationEventName"]]
    """Events that it receives; `generation.completed` by default"""

class Payment(TypedDict):
    id: str
    amount: str
    """EUR credited, without tax"""
    tax: str
    """EUR paid in addition"""
    currency: Literal["EUR"]
    state: "PaymentState"

class PaymentEnvelope(TypedDict):
    id: str
    event: "PaymentEventName"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    data: "Payment"

PaymentEventName = Literal["payment.succeeded", "payment.failed", "payment.refunded"]

PaymentState = Literal["pending", "paid", "failed", "expired", "partially_refunded", "refunded", "disputed"]

PriceUnit = Literal["image", "second", "megapixel", "1k_characters", "minute", "1k_output_tokens"]

class PricingRequest(TypedDict):
    input: Any

class PricingTier(TypedDict):
    match: Dict[str, Any]
    """Parameter values to match; the first tier that matches sets the price. `present` and `absent` say whether a parameter is given"""
    price_usd: str
    """USD for a generation, or for each `unit` of the model"""
    next_price_usd: NotRequired[str]
    """USD for each further unit, or further megapixel of a picture, if it differs"""

Priority = Literal["low", "normal", "high"]

class Problem(TypedDict):
    type: str
    """Explanation of this code"""
    title: str
    status: int
    code: "ErrorCode"
    detail: NotRequired[Optional[str]]
    instance: NotRequired[str]
    """Path of the request"""
    errors: NotRequired[Dict[str, List[str]]]
    """Messages by location"""
    unrepresentable: NotRequired[List[str]]
    """JSON Pointers of inputs that no route supports"""
    missing: NotRequired[List["MissingContent"]]
    """Content that the generation is waiting for"""
    required: NotRequired[str]
    """Amount in EUR that the request requires"""
    available: NotRequired[str]
    """Available balance in EUR"""
    estimated_cost: NotRequired[str]
    """Amount in EUR that the request would hold without its quote"""
    batch_id: NotRequired[str]
    """Id of the batch that is still in progress"""
    budget: NotRequired["ExhaustedBudget"]
    generation_id: NotRequired[str]
    """Id of the generation that is still in progress"""

class Provenance(TypedDict):
    id: str
    sha256: str
    media_type: str
    """Type detected from the content, regardless of the file name"""
    size: int
    """Bytes"""
    kind: "FileKind"
    generation_id: Optional[str]
    """Generation that produced the file; null for an upload"""
    model: Optional[str]
    """Model that made the file; null for an upload"""
    generator: Optional[str]
    """Name of the generator, as in the mark; null for an upload"""
    digital_source_type: Optional[str]
    """IPTC's digital source type; null for an upload, and for a model whose outputs need no mark"""
    mark: Literal["xmp", "maker_c2pa", "maker_xmp", "unsupported_format", "unreadable", "model_exempt", "disabled", None]
    """`xmp` if the file says in its XMP metadata that a model made it, otherwise why not; null for an upload, and for outputs of versions that marked none"""
    description: str
    """The same in words"""
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    available: bool
    """Whether the content can be downloaded"""

class Quote(TypedDict):
    id: str
    """What you send as `quote`"""
    expires_at: str
    """ISO 8601 in UTC, with milliseconds"""

RequestedWith = Literal["XMLHttpRequest"]

RouteReason = Literal["order", "cheapest", "fastest", "balanced", "measuring", "sticky", "bought_again"]

SentEventName = Literal["generation.running", "generation.completed", "batch.completed", "payment.succeeded", "payment.failed", "payment.refunded", "balance.low", "balance.exhausted", "key.limit_reached", "budget.threshold", "webhook.failing", "webhook.test"]

class SigningSecret(TypedDict):
    secret: str
    """Signs the deliveries of generations' own webhooks"""
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    previous_expires_at: Optional[str]
    """Until when deliveries are also signed with the previous secret; null if they are not"""

SkipReason = Literal["cannot_express", "cooling_down", "at_capacity", "over_budget", "missing_key"]

class StartRequest(TypedDict):
    parameters: NotRequired[Dict[str, Any]]
    """Merged into the character's parameters and saved"""
    max_cost: NotRequired[float]
    """Maximum estimate in EUR; a higher estimate is rejected"""
    webhook: NotRequired["OwnWebhook"]
    quote: NotRequired[str]
    """Id of a quote of the same model and input: its price holds, whatever has happened to the catalogue since. No part of the idempotency fingerprint"""
    retention: NotRequired[Literal["none"]]
    """`none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest"""
    metadata: NotRequired[Dict[str, str]]
    """Your own pairs, by which lists can be filtered: up to 16, all texts"""
    end_user: NotRequired[str]
    """Your own id of the person for whom this is made"""

Status = Literal["awaiting_supply", "queued", "running", "succeeded", "failed", "canceled"]

class TokenUsage(TypedDict):
    input_tokens: int
    """All tokens of the prompt"""
    cached_input_tokens: int
    """Those of the prompt that came from a cache"""
    cache_write_tokens: int
    """Those of the prompt that were written to a cache"""
    output_tokens: int
    """All tokens of the response"""
    reasoning_tokens: int
    """Those of the response that were reasoning"""

class UsagePage(TypedDict):
    data: List["UsageRow"]
    total: "UsageTotal"
    next_cursor: Optional[str]
    """Null on the last page"""

class UsageRow(TypedDict):
    """One combination of the groups that were asked for, and what it has; `metadata.KEY` is a member of that name"""

    hour: NotRequired[str]
    """Its beginning"""
    day: NotRequired[str]
    """In UTC"""
    month: NotRequired[str]
    """In UTC"""
    model: NotRequired[str]
    """Id of a model"""
    key: NotRequired[Optional[str]]
    """Id of an API key; null for none"""
    end_user: NotRequired[Optional[str]]
    """Null for none, `(other)` for those beyond 10,000 a day"""
    generations: int
    """Settled ones: succeeded, failed or canceled"""
    failed: int
    input_tokens: int
    """Of chats, cached ones included"""
    cached_input_tokens: int
    output_tokens: int
    billed: str
    """Charges in EUR"""

class UsageTotal(TypedDict):
    """Of all pages"""

    generations: int
    """Settled ones: succeeded, failed or canceled"""
    failed: int
    input_tokens: int
    """Of chats, cached ones included"""
    cached_input_tokens: int
    output_tokens: int
    billed: str
    """Charges in EUR"""

class Webhook(TypedDict):
    id: str
    url: str
    events: List["EventName"]
    status: "WebhookStatus"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    last_error: Optional["LastError"]
    """Latest delivery that failed after all its attempts"""

class WebhookList(TypedDict):
    data: List["Webhook"]
    """Active webhooks first, then newest first"""

class WebhookRequest(TypedDict):
    url: str
    """Must use https and be on the public internet"""
    events: List["EventName"]

WebhookStatus = Literal["active", "revoked"]

class WebhookWithSecret(TypedDict):
    id: str
    url: str
    events: List["EventName"]
    status: "WebhookStatus"
    created_at: str
    """ISO 8601 in UTC, with milliseconds"""
    last_error: Optional["LastError"]
    """Latest delivery that failed after all its attempts"""
    secret: str
    """Signs deliveries; shown only once"""

