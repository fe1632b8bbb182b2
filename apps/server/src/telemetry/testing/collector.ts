/** A collector of traces: takes OTLP over HTTP, and keeps what it was sent. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';

const Value = z.object({ stringValue: z.string().optional(), intValue: z.union([z.number(), z.string()]).optional() });
const Attribute = z.object({ key: z.string(), value: Value });
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  status: z.object({ code: z.number().optional() }),
  attributes: z.array(Attribute),
});
const Request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** A span that was received. */
export interface ReceivedSpan extends Omit<z.infer<typeof Span>, 'attributes'> {
  readonly attributes: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
}

/** Requests as they came. */
interface Received {
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export class Collector implements AsyncDisposable {
  readonly requests: Received[] = [];
  readonly spans: ReceivedSpan[] = [];
  /** The status of its answers. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param port 0 for any free one */
  static async listen(port = 0): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      void buffer(request).then((body) => {
        const { url, headers } = request;
        collector.requests.push({ url, headers, body });
        if (collector.status === 200 && headers['content-type'] === 'application/json') collector.#take(body);
        response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    server.listen({ host: '127.0.0.1', port });
    await once(server, 'listening');
    return collector;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #take(body: Buffer): void {
    for (const { resource, scopeSpans } of Request.parse(JSON.parse(body.toString())).resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, attributes: named(span.attributes), resource: named(resource.attributes) });
      }
    }
  }
}

function named(attributes: readonly z.infer<typeof Attribute>[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? `${intValue}`]),
  );
}
