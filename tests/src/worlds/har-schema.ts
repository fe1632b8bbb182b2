/** HAR 1.2 as a schema: what the format says of the members that an archive has, and that others begin with an underscore. */
import { z } from 'zod';

/** An object of the format. */
function object<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = new Set([...Object.keys(shape), 'comment']);
  return z.looseObject({ ...shape, comment: z.string().optional() }).superRefine((value, context) => {
    for (const name of Object.keys(value)) {
      if (!known.has(name) && !name.startsWith('_')) context.addIssue(`${name} is no member of the format`);
    }
  });
}

/** Milliseconds, or -1 for what does not apply. */
const ms = z.number().min(-1);
/** Bytes, or -1 for what is not known. */
const bytes = z.int().min(-1);
const pair = object({ name: z.string(), value: z.string() });
const time = z.iso.datetime({ offset: true });

const cookie = object({
  name: z.string(),
  value: z.string(),
  path: z.string().optional(),
  domain: z.string().optional(),
  expires: time.nullable().optional(),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
});

const message = {
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(pair),
  headersSize: bytes,
  bodySize: bytes,
};

const postData = z.union([
  object({ mimeType: z.string(), text: z.string() }),
  object({
    mimeType: z.string(),
    params: z.array(
      object({
        name: z.string(),
        value: z.string().optional(),
        fileName: z.string().optional(),
        contentType: z.string().optional(),
      }),
    ),
  }),
]);

const entry = object({
  pageref: z.string().optional(),
  startedDateTime: time,
  time: z.number().min(0),
  request: object({
    ...message,
    method: z.string().min(1),
    url: z.url(),
    queryString: z.array(pair),
    postData: postData.optional(),
  }),
  response: object({
    ...message,
    status: z.int(),
    statusText: z.string(),
    content: object({
      size: z.int(),
      compression: z.int().optional(),
      mimeType: z.string(),
      text: z.string().optional(),
      encoding: z.string().optional(),
    }),
    redirectURL: z.string(),
  }),
  cache: z.looseObject({}),
  timings: object({
    blocked: ms.optional(),
    dns: ms.optional(),
    connect: ms.optional(),
    send: ms,
    wait: ms,
    receive: ms,
    ssl: ms.optional(),
  }),
  serverIPAddress: z.string().optional(),
  connection: z.string().optional(),
});

const creator = object({ name: z.string(), version: z.string() });

/** An archive. */
export const har = object({
  log: object({ version: z.literal('1.2'), creator, browser: creator.optional(), entries: z.array(entry) }),
});
