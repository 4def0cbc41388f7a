import { buffer } from "node:stream/consumers";
import { serveRequests } from "../serve-requests";

interface Attribute {
  key: string;
  value: {
    stringValue?: string;
    intValue?: number | string;
    doubleValue?: number;
    boolValue?: boolean;
    arrayValue?: object;
  };
}

interface OtlpSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
}

export interface ReceivedSpan extends Omit<OtlpSpan, "attributes"> {
  attributes: Record<string, unknown>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[];
  }[];
}

/** Opens a receiver of traces by OTLP over HTTP in JSON, as a collector is. */
export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const scopes = new Set<string>();
  const paths = new Set<string>();
  const url = await serveRequests((request, response) => {
    paths.add(request.url!);
    void buffer(request).then((bytes) => {
      const { resourceSpans } = JSON.parse(bytes.toString()) as Export;
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(toRecord(resource.attributes));
        for (const { scope, spans: received } of scopeSpans) {
          scopes.add(scope.name);
          spans.push(...received.map((span) => ({ ...span, attributes: toRecord(span.attributes) })));
        }
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  return { url, spans, resources, scopes, paths };
}

const toRecord = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue, arrayValue } = value;
      return [key, stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? arrayValue : Number(intValue))];
    }),
  );
